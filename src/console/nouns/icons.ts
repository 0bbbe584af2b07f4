import {
  BadgeCheck,
  Bookmark,
  Boxes,
  CalendarClock,
  KeyRound,
  Layers,
  List,
  type LucideIcon,
  Route,
  Server,
  ShieldCheck,
  SquareTerminal,
  Ticket,
  Users,
  Zap,
} from "lucide-react";

const icons: Readonly<Record<string, LucideIcon>> = {
  agents: Server,
  services: Boxes,
  commands: SquareTerminal,
  rollouts: Layers,
  schedules: CalendarClock,
  approvals: BadgeCheck,
  "registration-tokens": Ticket,
  "bus-routes": Route,
  "bus-events": Zap,
  users: Users,
  "api-keys": KeyRound,
  "approval-policies": ShieldCheck,
  "saved-views": Bookmark,
};

/** Returns the noun's icon for the navigation and for its empty list. */
export function iconOf({ noun }: { noun: string }): LucideIcon {
  return icons[noun] ?? List;
}
