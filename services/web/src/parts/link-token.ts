import { useEffect, useState } from "react";

/**
 * The token of a one-time link, from the address's fragment (`#token=…`): a fragment is sent to no
 * server. It is taken out of the address at once, so that it stays in no history.
 * Empty where the address has none.
 */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token") ?? "");
  useEffect(() => {
    if (location.hash !== "") history.replaceState(history.state, "", location.pathname);
  }, []);
  return token;
}
