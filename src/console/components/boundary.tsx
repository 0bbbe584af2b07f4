// Replaces a part of the page that fails to load or to render. The rest of the page stays.

import { Component, type ReactNode } from "react";

interface BoundaryProps {
  otherwise?: ReactNode;
  onFailed?: () => void;
  children: ReactNode;
}

export class Boundary extends Component<BoundaryProps, { isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError() {
    return { isFailed: true };
  }

  override componentDidCatch(): void {
    this.props.onFailed?.();
  }

  override render(): ReactNode {
    return this.state.isFailed ? this.props.otherwise : this.props.children;
  }
}
