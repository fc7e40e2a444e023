/**
 * A request's target in which every `%` of the path begins a valid escape of UTF-8. The router
 * refuses others outright, but a malformed id must answer like an unknown one.
 */
export function repairTarget(target: string): string {
  if (!target.includes("%")) return target;
  const at = target.indexOf("?");
  const path = at === -1 ? target : target.slice(0, at);
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.replaceAll("%", "%25") + (at === -1 ? "" : target.slice(at));
  }
}

/** Paths and the methods that they take, to tell an unknown path from a wrong method. */
export interface RouteTable {
  add(method: string, pattern: string): void;
  /** The methods of the first pattern that the path fits, in a fixed order; empty where none does. */
  methodsOf(path: string): string[];
}

const methodOrder = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

export function createRouteTable(): RouteTable {
  const patterns = new Map<string, { matches: RegExp; methods: Set<string> }>();
  return {
    add(method, pattern) {
      const known = patterns.get(pattern) ?? { matches: patternOf(pattern), methods: new Set() };
      known.methods.add(method);
      patterns.set(pattern, known);
    },
    methodsOf(path) {
      const methods = new Set<string>();
      for (const known of patterns.values()) {
        if (known.matches.test(path)) for (const method of known.methods) methods.add(method);
      }
      return methodOrder.filter((method) => methods.has(method));
    },
  };
}

/** `/cards/:id` → one segment for each parameter; a `*` at the end takes the rest. */
function patternOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:[A-Za-z]+/g, "[^/]+")
    .replace("*", ".*");
  return new RegExp(`^${source}$`);
}
