// A bar at the top of the window while the next page is loading.

import { useNavigation } from "react-router";
import "./page-progress.css";

export function PageProgress() {
  const { state } = useNavigation();
  return state === "loading" && <div className="page-progress" aria-hidden="true" />;
}
