import { createLogger } from "@cardvault/kit";
import {
  createMemoryStore,
  drawSamplePhoto,
  samplePhotos,
  startSimulators,
} from "@cardvault/simulators";
import type {
  Fault,
  FaultKind,
  SampleOutcome,
  SimulatedAnswer,
  SimulatedRequest,
} from "@cardvault/simulators";
import type { Access } from "./adapter.ts";
import type { CallHouse, CallOutcome } from "./call/call-provider.ts";
import { createMemoryTurns } from "./call/turns.ts";
import type { CardImage } from "./ports.ts";

export interface Sandbox {
  /** A house of its own: nothing is counted twice, and what is logged is kept. */
  house: CallHouse;
  outcomes: CallOutcome[];
  logged(): string;
  requests: { protocol: string; request: SimulatedRequest }[];
  answers: { protocol: string; request: SimulatedRequest; answer: SimulatedAnswer }[];
  /** `/control` + path; the answer's body. */
  control<Answer = unknown>(path: string, body?: object): Promise<Answer>;
  access(protocol: string, more?: Partial<Access>): Access;
  photo(outcome: SampleOutcome): Promise<CardImage>;
  cardId(outcome: SampleOutcome): string;
  fault(
    protocol: string,
    fault: FaultKind,
    more?: Partial<Omit<Fault, "fault">> & { key?: string },
  ): Promise<void>;
  clear(protocol: string): Promise<void>;
  stop(): Promise<void>;
}

/** The simulated third parties on a port of their own. */
export async function openSandbox(): Promise<Sandbox> {
  const requests: Sandbox["requests"] = [];
  const answers: Sandbox["answers"] = [];
  const outcomes: CallOutcome[] = [];
  const lines: string[] = [];
  const simulators = await startSimulators({
    store: createMemoryStore(),
    clock: { now: () => new Date("2026-02-15T12:00:00Z") },
    onRequest: (protocol, request) => requests.push({ protocol, request }),
    onAnswer: (protocol, request, answer) => answers.push({ protocol, request, answer }),
  });
  const photos = new Map<SampleOutcome, Promise<Buffer>>();
  const cardId = (outcome: SampleOutcome): string =>
    samplePhotos.find((photo) => photo.outcome === outcome)?.cardId ?? "";
  return {
    house: {
      logger: createLogger({
        name: "test",
        level: "debug",
        destination: { write: (line: string) => void lines.push(line) },
      }),
      turns: createMemoryTurns(),
      onOutcome: (outcome) => outcomes.push(outcome),
      random: () => 0,
    },
    outcomes,
    logged: () => lines.join(""),
    requests,
    answers,
    async control<Answer>(path: string, body?: object) {
      const answer = await fetch(`${simulators.url}/control${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`The control failed: ${await answer.text()}`);
      return (await answer.json()) as Answer;
    },
    access: (protocol, more = {}) => ({
      baseUrl: `${simulators.url}/${protocol}`,
      key: `key-of-${protocol}`,
      deadlineMs: 10_000,
      concurrency: 4,
      rate: { perMinute: 60_000, burst: 1_000 },
      ...more,
    }),
    async photo(outcome) {
      const drawn = photos.get(outcome) ?? drawSamplePhoto(cardId(outcome), outcome);
      photos.set(outcome, drawn);
      return { bytes: await drawn, type: "image/jpeg" };
    },
    cardId,
    async fault(protocol, fault, more = {}) {
      const answer = await fetch(`${simulators.url}/control/faults`, {
        method: "POST",
        body: JSON.stringify({ protocol, fault, ...more }),
      });
      if (!answer.ok) throw new Error(`The fault was not taken: ${await answer.text()}`);
    },
    async clear(protocol) {
      await fetch(`${simulators.url}/control/faults?protocol=${protocol}`, { method: "DELETE" });
    },
    stop: () => simulators.stop(),
  };
}
