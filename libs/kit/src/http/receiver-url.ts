import { isIP } from "node:net";

export type ReceiverUrlRefusal =
  | "malformed"
  | "too_long"
  | "not_https"
  | "port"
  | "user_info"
  | "fragment"
  | "literal_address"
  | "host_name";

export type ReceiverUrlCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: ReceiverUrlRefusal; readonly message: string };

export interface ReceiverUrlRules {
  /** All allowed ports; 443 alone unless told. */
  allowedPorts?: readonly number[] | undefined;
  /** Whether `http://127.0.0.1:<port>` is allowed. Only the local start says so. */
  allowLoopback?: boolean | undefined;
}

const maxUrlLength = 2_048;
const httpsPort = 443;

/** A sentence for each refusal that the account may read. */
const messages: Readonly<Record<ReceiverUrlRefusal, string>> = {
  malformed: "Must be a URL.",
  too_long: `Must have at most ${maxUrlLength.toLocaleString("en")} characters.`,
  not_https: "Must begin with https://.",
  port: "The port is not allowed.",
  user_info: "Must not contain a user name or password.",
  fragment: "Must not contain a fragment.",
  literal_address: "Must name a host, not an IP address.",
  host_name: "Must name a public host.",
};

/** Names that never belong to the public internet (RFC 6761, 6762, 7686, 8375, ICANN's `.internal`). */
const privateSuffixes = [
  "local",
  "localhost",
  "localdomain",
  "internal",
  "intranet",
  "lan",
  "home.arpa",
  "onion",
  "invalid",
];

/**
 * Whether a receiver's URL may be registered. Only its form is looked at: what its name resolves to
 * changes, and is checked by the guarded client at every connection.
 */
export function checkReceiverUrl(text: string, rules: ReceiverUrlRules = {}): ReceiverUrlCheck {
  const { allowedPorts = [httpsPort], allowLoopback = false } = rules;
  if (text.length > maxUrlLength) return refuse("too_long");
  // The URL parser forgives blanks, control characters and backslashes, so that what a person reads
  // and what is called could differ.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return refuse("malformed");
  const url = new URL(text);
  if (url.href.length > maxUrlLength) return refuse("too_long");
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text) || url.username !== "" || url.password !== "") {
    return refuse("user_info");
  }
  if (text.includes("#")) return refuse("fragment");
  if (allowLoopback && url.protocol === "http:" && url.hostname === "127.0.0.1") {
    return { ok: true, url };
  }
  if (url.protocol !== "https:") return refuse("not_https");
  if (isLiteralAddress(url.hostname)) return refuse("literal_address");
  if (!isPublicName(url.hostname)) return refuse("host_name");
  const port = url.port === "" ? httpsPort : Number(url.port);
  return allowedPorts.includes(port) ? { ok: true, url } : refuse("port");
}

function refuse(reason: ReceiverUrlRefusal): ReceiverUrlCheck {
  return { ok: false, reason, message: messages[reason] };
}

/** After parsing, every spelling of an IPv4 address (decimal, octal, hexadecimal, short) is dotted. */
function isLiteralAddress(hostname: string): boolean {
  return hostname.startsWith("[") || isIP(hostname) !== 0;
}

function isPublicName(hostname: string): boolean {
  // One dot at the end only says that the name is complete.
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const labels = name.split(".");
  return (
    name.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
  );
}
