import type { Environment } from "@cardvault/contract";
import type { SigningSecrets } from "@cardvault/domain";

/** A test event on its way to one endpoint. */
export interface TestEvent {
  eventId: string;
  endpointId: string;
  environment: Environment;
  url: string;
  /** The envelope as it is sent. */
  body: string;
  /** Sealed. */
  secrets: SigningSecrets<string>;
}

/** What one attempt brought. */
export interface TestOutcome {
  startedAt: Date;
  statusCode: number | null;
  errorCode: string | null;
  timings: {
    dnsMs: number | null;
    connectMs: number | null;
    tlsMs: number | null;
    firstByteMs: number | null;
    totalMs: number;
  };
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  responseBody: Buffer | null;
  responseTruncated: boolean;
}

/** Sends a test event now, by the same sender as deliveries. What the receiver does wrong is no throw. */
export type SendTestEvent = (event: TestEvent) => Promise<TestOutcome>;
