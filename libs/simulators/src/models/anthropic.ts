import * as z from "zod";
import type { Protocol } from "../protocol.ts";
import { parsedBody, readingOf, usage } from "./reading.ts";

const image = z.object({
  type: z.literal("image"),
  source: z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
});
const body = z.object({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(z.object({ role: z.string(), content: z.array(z.unknown()) })),
  tools: z.array(z.object({ name: z.string() })).optional(),
});

/** Anthropic's `POST /v1/messages`. Structured answers come as a tool's input where tools are given. */
export const anthropic: Protocol = {
  name: "anthropic",
  keyOf: ({ headers }) => String(headers["x-api-key"] ?? ""),
  async answer(request, ctx) {
    if (request.method !== "POST" || request.path !== "/v1/messages") return null;
    if (this.keyOf(request) === "") return this.error(401, "x-api-key header is required");
    if (request.headers["anthropic-version"] === undefined) {
      return this.error(400, "anthropic-version: header is required");
    }
    const read = body.safeParse(parsedBody(request.body));
    if (!read.success) return this.error(400, "Invalid request body.");
    const shown = read.data.messages
      .flatMap(({ content }) => content)
      .map((part) => image.safeParse(part))
      .find((it) => it.success);
    if (shown === undefined) return this.error(400, "Could not process image");
    const reading = await readingOf(Buffer.from(shown.data.source.data, "base64"), ctx);
    if (reading === null) return this.error(500, "Internal server error");
    const [tool] = read.data.tools ?? [];
    return {
      status: 200,
      json: {
        id: "msg_sandbox",
        type: "message",
        role: "assistant",
        model: read.data.model,
        content: [
          tool === undefined
            ? { type: "text", text: JSON.stringify(reading) }
            : { type: "tool_use", id: "toolu_sandbox", name: tool.name, input: reading },
        ],
        stop_reason: tool === undefined ? "end_turn" : "tool_use",
        stop_sequence: null,
        usage: { input_tokens: usage.input, output_tokens: usage.output },
      },
    };
  },
  error: (status, message) => ({
    status,
    json: {
      type: "error",
      error: { type: status === 429 ? "rate_limit_error" : "api_error", message },
    },
  }),
};
