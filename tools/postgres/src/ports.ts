import { createServer } from "node:net";

const loopback = "127.0.0.1";

function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const got = address !== null && typeof address === "object" ? address.port : undefined;
      server.close(() => resolve(got));
    });
  });
}

/** Whether nothing listens on this TCP port of the address (127.0.0.1 unless told). */
export async function isPortFree(port: number, host: string = loopback): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

/** A TCP port of the loopback address that was free a moment ago. Another program may still take it first. */
export async function freePort(): Promise<number> {
  const port = await listenOnce(0, loopback);
  if (port === undefined) throw new Error("No free TCP port on 127.0.0.1.");
  return port;
}
