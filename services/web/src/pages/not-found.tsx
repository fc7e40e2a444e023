import { List, Title } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { Wordmark } from "../look/wordmark.tsx";
import { usePageTitle } from "../parts/page.tsx";

/** Says what was asked for, and where one can go from here. */
export function NotFoundPage() {
  usePageTitle("Page not found");
  const { pathname } = useLocation();
  return (
    <main className="centred">
      <Wordmark />
      <div className="panel">
        <Title order={1} mb="xs">
          Page not found
        </Title>
        <p style={{ marginTop: 0, overflowWrap: "anywhere" }}>
          There is no page at <span className="mono">{pathname}</span>. The address may be mistyped,
          or the page may have moved.
        </p>
        <List listStyleType="none" spacing={4}>
          <List.Item>
            <Link to="/">Dashboard</Link>
          </List.Item>
          <List.Item>
            <Link to="/inventory">Inventory</Link>
          </List.Item>
          <List.Item>
            <Link to="/settings/api">API keys</Link>
          </List.Item>
          <List.Item>
            <Link to="/settings/webhooks">Webhooks</Link>
          </List.Item>
          <List.Item>
            <a href="/docs">API reference</a>
          </List.Item>
        </List>
      </div>
    </main>
  );
}
