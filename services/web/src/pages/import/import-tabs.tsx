import { Link } from "@tanstack/react-router";

/** The two ways in which cards come in. */
export function ImportTabs({ current }: { current: "photos" | "list" }) {
  return (
    <nav className="tabs import-tabs" aria-label="What is imported">
      <Link
        className="tab"
        to="/import"
        search={{}}
        data-current={current === "photos" || undefined}
      >
        Photos
      </Link>
      <Link
        className="tab"
        to="/import/csv"
        search={{}}
        data-current={current === "list" || undefined}
      >
        A list (CSV)
      </Link>
    </nav>
  );
}
