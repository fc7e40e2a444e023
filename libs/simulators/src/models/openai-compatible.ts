import * as z from "zod";
import type { Protocol } from "../protocol.ts";
import { parsedBody, readingOf, usage } from "./reading.ts";

const image = z.object({
  type: z.literal("image_url"),
  image_url: z.object({ url: z.string().regex(/^data:image\/[a-z]+;base64,/) }),
});
const body = z.object({
  model: z.string(),
  messages: z.array(
    z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) }),
  ),
  response_format: z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({ name: z.string(), schema: z.object({ type: z.literal("object") }) }),
  }),
});

/** `POST /v1/chat/completions`, as OpenAI, Ollama, vLLM and OpenRouter have it. */
export const openAiCompatible: Protocol = {
  name: "openai",
  keyOf: ({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "",
  async answer(request, ctx) {
    if (request.method !== "POST" || request.path !== "/v1/chat/completions") return null;
    if (this.keyOf(request) === "") return this.error(401, "You didn't provide an API key.");
    const read = body.safeParse(parsedBody(request.body));
    if (!read.success) return this.error(400, "Invalid request body.");
    const parts = read.data.messages.flatMap(({ content }) =>
      typeof content === "string" ? [] : content,
    );
    const shown = parts.map((part) => image.safeParse(part)).find((it) => it.success);
    if (shown === undefined) return this.error(400, "Invalid image.");
    const [, base64 = ""] = shown.data.image_url.url.split(",", 2);
    const reading = await readingOf(Buffer.from(base64, "base64"), ctx);
    if (reading === null) return this.error(500, "The server had an error.");
    return {
      status: 200,
      json: {
        id: "chatcmpl-sandbox",
        object: "chat.completion",
        created: 1_772_000_000,
        model: read.data.model,
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: JSON.stringify(reading) },
            finish_reason: "stop",
          },
        ],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
        },
      },
    };
  },
  error: (status, message) => ({
    status,
    json: {
      error: {
        message,
        type: "error",
        param: null,
        code: status === 402 ? "insufficient_quota" : null,
      },
    },
  }),
};
