// Deletes a service that no agent reports any more; asks first, and says what goes and what stays.

import { useState } from "react";
import { useNavigate } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { useNotice } from "../../components/notices.tsx";
import { texts } from "../../texts/index.ts";

type ServiceDetail = Reply<"services.get">;

const { verb, title, happens, done } = texts.services.remove;

/** Nothing for a service that is reported: the next report would bring it back. */
export function DeleteService({ service: { id, code, status } }: { service: ServiceDetail }) {
  const mayAct = useMay("operator");
  const [isAsked, setIsAsked] = useState(false);
  const tell = useNotice();
  const navigate = useNavigate();
  const leave = () => {
    tell(done(code));
    void navigate("/services", { replace: true });
  };
  const act = useAct("services.delete", leave, { leaving: true });
  if (!mayAct || (status !== "OFFLINE" && status !== "STALE")) return null;
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>{verb}</Button>
      {isAsked && (
        <Confirm
          title={title(code)}
          verb={verb}
          danger
          busy={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate({ params: { serviceId: id } })}
          onClose={() => setIsAsked(false)}
        >
          <ul className="service-happens">
            {happens.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Confirm>
      )}
    </>
  );
}
