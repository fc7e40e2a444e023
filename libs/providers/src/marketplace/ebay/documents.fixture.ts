import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { SimulatedAnswer, SimulatedRequest } from "@cardvault/simulators";
import { Ajv } from "ajv";
import type { ValidateFunction } from "ajv";

/** eBay's own OpenAPI documents, packed: of the tests alone, and not part of the project. */
export const documentsFolder =
  process.env["EBAY_DOCUMENTS"] ??
  fileURLToPath(new URL("../../../../../../shared/data/ebay", import.meta.url));
export const hasDocuments = existsSync(documentsFolder);

const names = [
  "sell_inventory_v1",
  "sell_account_v1",
  "sell_fulfillment_v1",
  "sell_metadata_v1",
  "commerce_taxonomy_v1",
  "buy_browse_v1",
];

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
}
interface Content {
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Document {
  servers: { variables: { basePath: { default: string } } }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Known {
  document: Document;
  ajv: Ajv;
  pattern: RegExp;
  method: string;
  name: string;
  operation: Operation;
}

/** One exchange that was checked. */
export interface Checked {
  /** `PUT /sell/inventory/v1/inventory_item/{sku}` */
  operation: string;
  status: number;
  problems: string[];
}

/** Checks what was sent and answered against eBay's documents. */
export function openDocuments(): (
  request: SimulatedRequest,
  answer: SimulatedAnswer,
) => Checked | null {
  const known = names.flatMap(readDocument);
  return (request, answer) => {
    const found = known.find(
      ({ method, pattern }) => method === request.method && pattern.test(request.path),
    );
    return found === undefined ? null : check(found, request, answer);
  };
}

function readDocument(name: string): Known[] {
  const packed = readFileSync(`${documentsFolder}/${name}.json.gz`);
  const document = JSON.parse(gunzipSync(packed).toString("utf8")) as Document;
  const { schemas } = document.components;
  // Its type is said to be a text, and is an object of lists.
  const product = schemas["Product"]?.properties;
  if (product?.["aspects"] !== undefined) {
    product["aspects"] = {
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
    };
  }
  // The documents let every object have other members too; ours and the simulator's have none.
  for (const schema of Object.values(schemas)) {
    if (schema.properties !== undefined) schema.additionalProperties ??= false;
  }
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "https://documents.example/", components: document.components });
  const base = document.servers[0]?.variables.basePath.default ?? "";
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      document,
      ajv,
      pattern: new RegExp(
        `^${(base + path).replaceAll(/\{\w+\}/g, "[^/]+").replace(/\/$/, "/?")}$`,
      ),
      method: method.toUpperCase(),
      name: `${method.toUpperCase()} ${base}${path}`,
      operation,
    })),
  );
}

function check(
  { ajv, name, operation }: Known,
  { headers, query, body }: SimulatedRequest,
  { status, json }: SimulatedAnswer,
): Checked {
  const problems: string[] = [];
  const say = (text: string): void => void problems.push(`${name} ${status}: ${text}`);
  const validate = (what: string, schema: Schema | undefined, value: unknown): void => {
    if (schema === undefined) {
      say(`${what} is not described`);
      return;
    }
    const compiled = compile(ajv, schema);
    if (!compiled(value)) say(`${what}: ${ajv.errorsText(compiled.errors)}`);
  };
  const parameters = operation.parameters ?? [];
  for (const one of parameters) {
    if (one.required !== true || one.in === "path") continue;
    const isThere =
      one.in === "query" ? query.has(one.name) : headers[one.name.toLowerCase()] !== undefined;
    // What eBay itself refuses is no fault of its asker's description.
    if (!isThere && status < 400) say(`${one.in} ${one.name} is missing`);
  }
  for (const given of query.keys()) {
    if (!parameters.some((one) => one.in === "query" && one.name === given)) {
      say(`query ${given} is not described`);
    }
  }
  const described = operation.requestBody?.content?.["application/json"]?.schema;
  if (body.length > 0) validate("the request", described, JSON.parse(body.toString("utf8")));
  const response = operation.responses[String(status)];
  if (response === undefined && status !== 401) say("the status is not described");
  if (status >= 400) {
    for (const error of (json as { errors: unknown[] }).errors) {
      validate("the error", { $ref: "#/components/schemas/Error" }, error);
    }
  } else if (json === undefined) {
    if (status !== 204) say("the answer has no body");
  } else validate("the answer", response?.content?.["application/json"]?.schema, json);
  return { operation: name, status, problems };
}

const compiledSchemas = new WeakMap<Ajv, Map<string, ValidateFunction>>();

function compile(ajv: Ajv, { $ref = "" }: Schema): ValidateFunction {
  const ofDocument = compiledSchemas.get(ajv) ?? new Map<string, ValidateFunction>();
  compiledSchemas.set(ajv, ofDocument);
  const compiled =
    ofDocument.get($ref) ?? ajv.compile({ $ref: `https://documents.example/${$ref}` });
  ofDocument.set($ref, compiled);
  return compiled;
}
