import * as z from "zod";
import type { Protocol } from "../protocol.ts";
import { parsedBody, readingOf, usage } from "./reading.ts";

const inline = z.object({ inlineData: z.object({ mimeType: z.string(), data: z.string() }) });
const body = z.object({
  contents: z.array(z.object({ parts: z.array(z.unknown()) })).min(1),
  generationConfig: z.object({
    responseMimeType: z.literal("application/json"),
    responseSchema: z.unknown().optional(),
    responseJsonSchema: z.unknown().optional(),
  }),
});

/** Google's Gemini API: `POST /v1beta/models/{model}:generateContent`. */
export const google: Protocol = {
  name: "google",
  keyOf: ({ headers }) => String(headers["x-goog-api-key"] ?? ""),
  async answer(request, ctx) {
    if (request.method !== "POST") return null;
    const [, model] = /^\/v1beta\/models\/([^/:]+):generateContent$/.exec(request.path) ?? [];
    if (model === undefined) return null;
    if (this.keyOf(request) === "")
      return this.error(403, "Method doesn't allow unregistered callers.");
    const read = body.safeParse(parsedBody(request.body));
    if (!read.success) return this.error(400, "Invalid JSON payload received.");
    const parts = read.data.contents.flatMap((content) => content.parts);
    const image = parts.map((part) => inline.safeParse(part)).find((it) => it.success);
    if (image === undefined) return this.error(400, "Unable to process input image.");
    const reading = await readingOf(Buffer.from(image.data.inlineData.data, "base64"), ctx);
    if (reading === null) return this.error(500, "An internal error has occurred.");
    return {
      status: 200,
      json: {
        candidates: [
          {
            content: { parts: [{ text: JSON.stringify(reading) }], role: "model" },
            finishReason: "STOP",
            index: 0,
          },
        ],
        usageMetadata: {
          promptTokenCount: usage.input,
          candidatesTokenCount: usage.output,
          totalTokenCount: usage.input + usage.output,
        },
        modelVersion: model,
      },
    };
  },
  error: (status, message) => ({
    status,
    json: {
      error: { code: status, message, status: status === 429 ? "RESOURCE_EXHAUSTED" : "ERROR" },
    },
  }),
};
