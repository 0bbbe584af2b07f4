// The plots, or something else where they cannot be: a browser without canvases, or a part of the console that
// does not come. The rest of the page goes on.

import { Component, type ReactNode } from "react";

interface PlotsOrProps {
  otherwise: ReactNode;
  children: ReactNode;
}

export class PlotsOr extends Component<PlotsOrProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.otherwise : this.props.children;
  }
}
