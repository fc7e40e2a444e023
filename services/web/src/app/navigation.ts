import type { Current } from "@cardvault/contract";

/** Who a page is for; without it, for every member. */
type For = "owners" | "operators";

/** A page that is reached from everywhere: its name, and the letter after `g` that goes to it. */
export interface Place {
  readonly to: string;
  readonly words: string;
  readonly key: string;
  readonly for?: For;
}

/** Every page that stands in the navigation, in its order, under its headings. */
export const sections: readonly { heading: string | null; places: readonly Place[] }[] = [
  {
    heading: null,
    places: [
      { to: "/", words: "Dashboard", key: "h" },
      { to: "/inventory", words: "Inventory", key: "i" },
      { to: "/inventory/batches", words: "Batches", key: "b" },
      { to: "/import", words: "Import", key: "p" },
      { to: "/review", words: "Review", key: "r" },
      { to: "/move", words: "Move and sell", key: "m" },
      { to: "/sales", words: "Sales", key: "s" },
    ],
  },
  {
    heading: "Developers",
    places: [
      { to: "/events", words: "Events", key: "e" },
      { to: "/events/dropped", words: "Dropped events", key: "d" },
      { to: "/settings/api", words: "API keys", key: "k", for: "owners" },
      { to: "/settings/webhooks", words: "Webhooks", key: "w", for: "owners" },
      { to: "/docs/guides", words: "Guides", key: "u" },
      { to: "/docs", words: "API reference", key: "a" },
    ],
  },
  {
    heading: "Settings",
    places: [
      { to: "/settings/account", words: "Account", key: "c" },
      { to: "/settings/inventory", words: "SKUs and labels", key: "l" },
      { to: "/settings/integrations", words: "Integrations", key: "n" },
      { to: "/jobs", words: "Jobs", key: "j", for: "operators" },
    ],
  },
];

/** Those that there are, and that somebody may see. @param isRoute whether a page is built there */
export function placesFor(
  { role, user }: Pick<Current, "role" | "user">,
  isRoute: (to: string) => boolean,
): { heading: string | null; places: Place[] }[] {
  const maySee = (whom: For | undefined) =>
    whom === undefined || (whom === "owners" ? role === "owner" : user.is_operator);
  return sections
    .map(({ heading, places }) => ({
      heading,
      places: places.filter((place) => isRoute(place.to) && maySee(place.for)),
    }))
    .filter(({ places }) => places.length > 0);
}
