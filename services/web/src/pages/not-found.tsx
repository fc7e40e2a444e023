import { List, Title } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { sections } from "../app/navigation.ts";
import { useIsRoute } from "../app/jump-keys.ts";
import { Wordmark } from "../look/wordmark.tsx";
import { usePageTitle } from "../parts/page.tsx";

const shownPlaces = 5;

/** Pairs of letters: two addresses that share many of them are alike, wherever the mistake is. */
function pairsOf(path: string): Set<string> {
  const text = path.toLowerCase();
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}

/** How alike two addresses are, from 0 to 1 (Dice's coefficient). */
function likeness(one: string, other: string): number {
  const [first, second] = [pairsOf(one), pairsOf(other)];
  const shared = [...first].filter((pair) => second.has(pair)).length;
  return first.size + second.size === 0 ? 0 : (2 * shared) / (first.size + second.size);
}

/** Says what was asked for, and where one can go from here: the pages whose addresses are most like it. */
export function NotFoundPage() {
  usePageTitle("Page not found");
  const { pathname } = useLocation();
  const isRoute = useIsRoute();
  const places = sections
    .flatMap((section) => section.places)
    .filter((place) => isRoute(place.to) && place.for !== "operators" && place.to !== "/")
    .map((place) => ({ ...place, likeness: likeness(place.to, pathname) }))
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, shownPlaces);
  return (
    <main className="centred">
      <Wordmark />
      <div className="panel">
        <Title order={1} mb="xs">
          Page not found
        </Title>
        <p style={{ marginTop: 0, overflowWrap: "anywhere" }}>
          There is no page at <span className="mono">{pathname}</span>. The address may be mistyped,
          or the page may have moved. These are most like it:
        </p>
        <List listStyleType="none" spacing={4}>
          {places.map(({ to, words }) => (
            <List.Item key={to}>
              <Link to={to}>{words}</Link> <span className="cell-sub mono">{to}</span>
            </List.Item>
          ))}
          <List.Item mt={8}>
            <Link to="/">Dashboard</Link>
          </List.Item>
        </List>
      </div>
    </main>
  );
}
