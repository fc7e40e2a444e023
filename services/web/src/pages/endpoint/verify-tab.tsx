import { replayToleranceSeconds, signatureHeader } from "@cardvault/contract";
import { SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { CodeBlock } from "../../parts/code-block.tsx";

/** What a customer installs; the pages themselves take nothing from it. */
const clientPackage = "@cardvault/client";

const node = `import { createServer } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "${clientPackage}";

createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  try {
    // The bytes as they arrived: a body that was parsed and printed again has other bytes.
    const event = verifyWebhook(
      Buffer.concat(chunks),
      req.headers["${signatureHeader.toLowerCase()}"],
      process.env.VAULT_SECRET,
    );
    res.writeHead(204).end();
    // The same event can arrive more than once: keep event.id, and skip what you know.
    console.log(event.event, event.id);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    res.writeHead(400).end(error.reason);
  }
}).listen(8080);
`;

const plain = `import { createHmac, timingSafeEqual } from "node:crypto";

/** rawBody: a Buffer, as it arrived. header: ${signatureHeader}. secret: the whole of it, whsec_ included. */
export function isFromVault(rawBody, header, secret) {
  const [, time, given] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  if (time === undefined || given === undefined) return false;
  if (Math.abs(Date.now() / 1000 - Number(time)) > ${replayToleranceSeconds}) return false;
  const wanted = createHmac("sha256", secret).update(\`\${time}.\`).update(rawBody).digest();
  return timingSafeEqual(Buffer.from(given, "hex"), wanted);
}
`;

const shell = `# By hand: with the body in body.json, T and V1 from the header ${signatureHeader}: t=T,v1=V1
( printf '%s.' "$T"; cat body.json ) | openssl dgst -sha256 -hmac "$VAULT_SECRET"
# The last word printed must be V1, and T within ${replayToleranceSeconds / 60} minutes of now.

# To try your receiver with a signed request:
T=$(date +%s)
V1=$( ( printf '%s.' "$T"; cat body.json ) | openssl dgst -sha256 -hmac "$VAULT_SECRET" | sed 's/.*= //' )
curl -i -H 'content-type: application/json' -H "${signatureHeader}: t=$T,v1=$V1" \\
  --data-binary @body.json http://127.0.0.1:8080/
`;

const ways = {
  client: { label: "Node, with our client", file: "receiver.mjs", text: node },
  plain: { label: "Node, by itself", file: "verify.mjs", text: plain },
  shell: { label: "curl and openssl", file: "Shell", text: shell },
} as const;
type Way = keyof typeof ways;

/** How a receiver knows that a request is ours. No secret stands in it: it comes from the environment. */
export function VerifyTab() {
  const [way, setWay] = useState<Way>("client");
  return (
    <Stack gap="sm" p="md">
      <p className="page-lead">
        Every request is signed with the endpoint’s secret. Answer with a 2xx within ten seconds and
        work afterwards; everything else is sent again.
      </p>
      <SegmentedControl
        aria-label="Language"
        size="xs"
        style={{ alignSelf: "flex-start" }}
        data={Object.entries(ways).map(([value, { label }]) => ({ value, label }))}
        value={way}
        onChange={(value) => {
          if (value in ways) setWay(value as Way);
        }}
      />
      <CodeBlock label={ways[way].file} text={ways[way].text} />
      <p className="cell-sub">
        While a secret is being rotated, accept both. The headers of Standard Webhooks (webhook-id,
        webhook-timestamp, webhook-signature) stand beside ours, so its libraries for other
        languages work too. More of it, and in Python:{" "}
        <a href="/docs/guides/webhooks#receive-and-verify">the guide</a>.
      </p>
    </Stack>
  );
}
