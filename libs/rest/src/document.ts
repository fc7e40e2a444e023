import { isDeepStrictEqual } from "node:util";
import {
  cardPatch,
  errorAnswer,
  eventSchemas,
  eventTypes,
  identifyInput,
  priceLookupInput,
  publishBody,
  signatureHeader,
  standardWebhookHeaders,
  testMarkHeader,
} from "@cardvault/contract";
import type { EventType } from "@cardvault/contract";
import type { AnyRouter } from "@trpc/server";
import { generateOpenApiDocument } from "trpc-to-openapi";
import * as z from "zod";
import { createSchema } from "zod-openapi";
import type { oas31 } from "zod-openapi";
import {
  errorResponses,
  headerComponents,
  headerReferences,
  parameterComponents,
  responseComponents,
} from "./document-parts.ts";
import { inputShape } from "./fields.ts";
import { operationsOf } from "./operations.ts";
import type { Operation } from "./operations.ts";

const openApiVersion = "3.1.0";
const json = "application/json";

const description = `
Trading cards, batches of cards and marketplace listings of cards. The [guides](/docs/guides) show how to use
them, with examples that run: [first call](/docs/guides/first-call), [polling](/docs/guides/polling),
[webhooks](/docs/guides/webhooks), [errors](/docs/guides/errors), [limits](/docs/guides/limits).

**Authentication.** Every request carries \`Authorization: Bearer <API_KEY>\`. The prefix of a key gives
its environment: \`cv_live_\` or \`cv_test_\`.

**Errors** are JSON with a stable \`error.code\`. A path that is not described here answers 404
\`route_not_found\`, and a method that a path does not take answers 405 \`method_not_allowed\` with \`Allow\`.

**Limits** count in an exact window of 60 seconds for each key: 60 reads, 20 writes, and 5 identifications
and price lookups together. Beyond it the answer is 429 with \`Retry-After\`.

**Polling.** \`updated_since\` is inclusive and loses nothing: begin the next poll with
\`next_updated_since\` of the last page, and drop repeats by \`id\` and \`version\`.
`.trim();

const webhookDescription =
  "Verify the signature over the raw body, answer 2xx within 10 seconds, and skip an `id` that was " +
  "received before. Anything else is sent again after 30 s, 2 min, 10 min, 1 h, 6 h and 24 h.";

export interface DocumentOptions {
  router: AnyRouter;
  /** The service's origin, without a slash at the end. */
  publicUrl: string;
}

/**
 * Bodies that have a schema of their own, by operation. A procedure's input also holds the parameters
 * of the path, so its body would otherwise have no name.
 */
const namedBodies: Readonly<Record<string, z.ZodType>> = {
  "PATCH /cards/{id}": cardPatch,
  "POST /identify": identifyInput,
  "POST /price-lookup": priceLookupInput,
  "POST /listings/{cardId}/publish": publishBody,
};

type Components = Record<string, oas31.SchemaObject | oas31.ReferenceObject>;

/** A schema of the document; what it refers to is added to the components. */
function schemaIn(
  components: Components,
  schema: z.ZodType,
  io: "input" | "output",
): oas31.SchemaObject | oas31.ReferenceObject {
  const made = createSchema(schema, { io, openapiVersion: openApiVersion });
  for (const [name, component] of Object.entries(made.components)) {
    const known = components[name];
    if (known !== undefined && !isDeepStrictEqual(known, component)) {
      throw new TypeError(`Two schemas of the document are named ${name}`);
    }
    components[name] = component;
  }
  return made.schema;
}

/** `card.priced` → `CardPricedEvent` */
function eventComponentName(name: EventType): string {
  const words = name.split(/[._]/);
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Event`;
}

function webhookOf(name: EventType): oas31.PathItemObject {
  const header = (headerName: string, what: string): oas31.ParameterObject => ({
    name: headerName,
    in: "header",
    required: headerName !== testMarkHeader,
    description: what,
    schema: { type: "string" },
  });
  return {
    post: {
      operationId: `webhook-${name.replaceAll(/[._]/g, "-")}`,
      summary: z.globalRegistry.get(eventSchemas[name])?.description ?? name,
      description: webhookDescription,
      tags: ["Webhooks"],
      security: [],
      parameters: [
        header(
          signatureHeader,
          "`t=<unix_timestamp>,v1=<signature>`: HMAC-SHA256 of `<t>.<raw_body>` with the endpoint's secret, in hexadecimal. Refuse a `t` more than 5 minutes old.",
        ),
        header(standardWebhookHeaders.id, "The event's `id` (Standard Webhooks)."),
        header(standardWebhookHeaders.timestamp, "Unix seconds (Standard Webhooks)."),
        header(standardWebhookHeaders.signature, "`v1,<base64>` (Standard Webhooks)."),
        header(testMarkHeader, "`true` on test events only."),
      ],
      requestBody: {
        required: true,
        content: {
          [json]: { schema: { $ref: `#/components/schemas/${eventComponentName(name)}` } },
        },
      },
      responses: { "2XX": { description: "Received. Any other answer is a failed attempt." } },
    },
  };
}

/** What the generator leaves out: the descriptions of optional parameters. */
function describeParameters(operation: Operation, generated: oas31.OperationObject): void {
  const shape = inputShape(operation.inputs);
  for (const parameter of generated.parameters ?? []) {
    if (!("name" in parameter)) continue;
    const schema = shape[parameter.name];
    const described = schema === undefined ? undefined : z.globalRegistry.get(schema)?.description;
    if (described !== undefined) parameter.description = described;
    if (parameter.in === "path") parameter.schema = { ...parameter.schema, minLength: 1 };
  }
}

function completeOperation(
  operation: Operation,
  generated: oas31.OperationObject,
  components: Components,
  body: z.ZodType | undefined,
): void {
  const { meta, type, queryFields } = operation;
  describeParameters(operation, generated);
  const parameter = (name: keyof typeof parameterComponents): void => {
    generated.parameters = [
      ...(generated.parameters ?? []),
      { $ref: `#/components/parameters/${name}` },
    ];
  };
  if (meta.etag === true) parameter(type === "query" ? "IfNoneMatch" : "IfMatch");
  if (meta.idempotent === true) parameter("IdempotencyKey");
  if (body !== undefined) {
    const schema = schemaIn(components, body, "input");
    generated.requestBody = { required: true, content: { [json]: { schema } } };
  }
  const success = (generated.responses as Record<string, oas31.ResponseObject>)["200"];
  const successHeaders = headerReferences(
    ...(meta.etag === true ? (["ETag"] as const) : []),
    ...(queryFields.has("cursor") ? (["Link"] as const) : []),
    ...(meta.idempotent === true ? (["Idempotent-Replayed"] as const) : []),
  );
  const { otherSuccess } = meta;
  const answered = (answer: z.ZodType) => ({
    content: { [json]: { schema: schemaIn(components, answer, "output") } },
  });
  generated.responses = {
    [String(meta.successStatus ?? 200)]: {
      ...success,
      ...(otherSuccess === undefined ? {} : answered(otherSuccess.usual)),
      description: "Success.",
      headers: successHeaders,
    },
    ...(otherSuccess === undefined
      ? {}
      : {
          [String(otherSuccess.status)]: {
            ...answered(otherSuccess.other),
            description: otherSuccess.description,
            headers: successHeaders,
          },
        }),
    ...(meta.etag === true && type === "query"
      ? { "304": { description: "Not modified.", headers: headerReferences("ETag") } }
      : {}),
    ...errorResponses(operation),
  };
  generated.description = [
    generated.description,
    `Needs the scope ${meta.scopes.map((scope) => `\`${scope}\``).join(" and ")}. Counts as ${meta.limitClass}.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/**
 * The OpenAPI 3.1 document of a router's documented procedures and of the webhooks: the generator's,
 * with our own errors, headers and conditions in the place of what it assumes.
 */
export function openApiDocument({ router, publicUrl }: DocumentOptions): oas31.OpenAPIObject {
  const operations = operationsOf(router);
  const generated: oas31.OpenAPIObject = generateOpenApiDocument(router, {
    title: "Card Vault",
    description,
    version: "1.0.0",
    openApiVersion,
    baseUrl: publicUrl,
    securitySchemes: {
      bearerToken: { type: "http", scheme: "bearer", description: "An API key of the account." },
    },
    defs: { Error: errorAnswer },
  });
  const schemas: Components = Object.fromEntries(
    Object.entries(generated.components?.schemas ?? {}).filter(
      ([name]) => !name.startsWith("error."),
    ),
  );
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as "get";
    const described = generated.paths?.[operation.path]?.[method];
    if (described === undefined) continue;
    completeOperation(
      operation,
      described,
      schemas,
      namedBodies[`${operation.method} ${operation.path}`],
    );
  }
  for (const name of eventTypes) {
    schemas[eventComponentName(name)] = schemaIn(schemas, eventSchemas[name], "output");
  }
  return {
    ...generated,
    webhooks: Object.fromEntries(eventTypes.map((name) => [name, webhookOf(name)])),
    components: {
      ...generated.components,
      schemas,
      headers: headerComponents,
      parameters: parameterComponents,
      responses: responseComponents,
    },
  };
}
