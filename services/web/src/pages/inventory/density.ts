import { useLocalStorage } from "@mantine/hooks";

/** How much of a card a row shows: as many rows as there are, or each with its picture. */
export type Density = "compact" | "pictures";

/** A habit of the person and no part of the list, so it stands in the browser and not in the address. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useLocalStorage<Density>({
    key: "vault.density",
    defaultValue: "pictures",
    getInitialValueInEffect: false,
    deserialize: (stored) => (stored === "compact" ? "compact" : "pictures"),
    serialize: (value) => value,
  });
  return [density, setDensity];
}
