import { createReceiver } from "./receiver.ts";

const port = Number(process.env["RECEIVER_PORT"] ?? 4000);
const secrets = (process.env["WEBHOOK_SECRETS"] ?? "").split(",").filter((secret) => secret !== "");
if (secrets.length === 0) {
  console.error(
    "Set WEBHOOK_SECRETS to the endpoint's secret (whsec_…); two are separated by a comma.",
  );
  process.exit(1);
}

const server = createReceiver({
  secrets,
  onEvent: (event) => {
    console.log(`${event.created_at}  ${event.event}  ${event.id}  signature verified`);
    console.log(`  ${JSON.stringify(event.data)}`);
  },
  onRefused: (reason) => {
    console.error(`refused a request: ${reason}`);
  },
});

server.on("error", (error) => {
  console.error(`The receiver cannot listen on port ${port}: ${error.message}`);
  process.exit(1);
});
server.listen(port, "127.0.0.1", () => {
  console.log(`example receiver: http://127.0.0.1:${port}/`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
