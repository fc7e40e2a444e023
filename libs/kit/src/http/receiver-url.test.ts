import { describe, expect, it } from "vitest";
import { checkReceiverUrl } from "./receiver-url.ts";
import type { ReceiverUrlRefusal } from "./receiver-url.ts";

const refusals: readonly (readonly [url: string, reason: ReceiverUrlRefusal])[] = [
  ["", "malformed"],
  ["example.com/hook", "malformed"],
  ["//example.com/hook", "malformed"],
  ["https://", "malformed"],
  ["https://exa mple.com/", "malformed"],
  [" https://example.com/", "malformed"],
  ["https://example.com/\n", "malformed"],
  ["https://exam\tple.com/", "malformed"],
  ["https:\\\\example.com/", "malformed"],
  ["https://example.com\\@evil.com/", "malformed"],
  ["https://256.256.256.256/", "malformed"],
  ["https://[::1/", "malformed"],
  [`https://example.com/${"a".repeat(2_029)}`, "too_long"],
  [`https://example.com/${"é".repeat(400)}`, "too_long"],
  ["http://example.com/", "not_https"],
  ["ftp://example.com/", "not_https"],
  ["file:///etc/passwd", "not_https"],
  ["javascript:alert(1)", "not_https"],
  ["data:text/plain,a", "not_https"],
  ["ws://example.com/", "not_https"],
  ["http://127.0.0.1:4000/", "not_https"],
  ["https://example.com:80/", "port"],
  ["https://example.com:8443/", "port"],
  ["https://example.com:0/", "port"],
  ["https://user@example.com/", "user_info"],
  ["https://user:pass@example.com/", "user_info"],
  ["https://:pass@example.com/", "user_info"],
  ["https://@example.com/", "user_info"],
  ["https://example.com/#a", "fragment"],
  ["https://example.com/#", "fragment"],
  ["https://8.8.8.8/", "literal_address"],
  ["https://8.8.8.8./", "literal_address"],
  ["https://127.0.0.1/", "literal_address"],
  ["https://2130706433/", "literal_address"],
  ["https://0x7f000001/", "literal_address"],
  ["https://0x7f.1/", "literal_address"],
  ["https://0177.0.0.1/", "literal_address"],
  ["https://127.1/", "literal_address"],
  ["https://0/", "literal_address"],
  ["https://１２７.0.0.1/", "literal_address"],
  ["https://127。0。0。1/", "literal_address"],
  ["https://[::1]/", "literal_address"],
  ["https://[::ffff:127.0.0.1]/", "literal_address"],
  ["https://[2606:4700::1111]/", "literal_address"],
  ["https://localhost/", "host_name"],
  ["https://LOCALHOST./", "host_name"],
  ["https://a.localhost/", "host_name"],
  ["https://db/", "host_name"],
  ["https://db./", "host_name"],
  ["https://printer.local/", "host_name"],
  ["https://printer.local./", "host_name"],
  ["https://metadata.google.internal/", "host_name"],
  ["https://METADATA.google.INTERNAL/", "host_name"],
  ["https://router.home.arpa/", "host_name"],
  ["https://abc.onion/", "host_name"],
  ["https://example.com../", "host_name"],
  ["https://.example.com/", "host_name"],
  ["https://a..example.com/", "host_name"],
  ["https://-a.example.com/", "host_name"],
  [`https://${"a".repeat(64)}.example.com/`, "host_name"],
  [`https://${"a.".repeat(127)}com/`, "host_name"],
  ["https://a'b.example.com/", "host_name"],
];

describe("a receiver's URL", () => {
  it.each(refusals)("refuses %j: %s", (url, reason) => {
    expect(checkReceiverUrl(url)).toMatchObject({ ok: false, reason });
  });

  it.each([
    "https://example.com",
    "https://example.com/hook?shop=1&name=a%20b",
    "https://example.com./hook",
    "HTTPS://Hooks.Example.COM:443/Path",
    "https://bücher.example/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://my_shop.example.com/a@b",
    `https://example.com/${"a".repeat(2_028)}`,
  ])("allows %j", (url) => {
    expect(checkReceiverUrl(url)).toEqual({ ok: true, url: new URL(url) });
  });

  it("allows another port only where it is configured", () => {
    const url = "https://example.com:8443/";
    expect(checkReceiverUrl(url, { allowedPorts: [443, 8443] }).ok).toBe(true);
    expect(checkReceiverUrl("https://example.com/", { allowedPorts: [8443] }).ok).toBe(false);
  });

  it("allows loopback only where it is injected, and only as http://127.0.0.1", () => {
    const rules = { allowLoopback: true };
    expect(checkReceiverUrl("http://127.0.0.1:4001/hook", rules).ok).toBe(true);
    for (const url of [
      "http://localhost:4001/",
      "http://127.0.0.2:4001/",
      "http://[::1]:4001/",
      "http://10.0.0.1:4001/",
      "http://example.com/",
      "https://127.0.0.1/",
      "http://a:b@127.0.0.1:4001/",
      "http://127.0.0.1:4001/#a",
    ]) {
      expect([url, checkReceiverUrl(url, rules).ok]).toEqual([url, false]);
    }
  });
});
