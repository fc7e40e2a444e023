import type { DocumentedMeta } from "@cardvault/core";
import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { forEachOpenApiProcedure } from "trpc-to-openapi";
import type { z } from "zod";
import { inputShape, queryFieldOf } from "./fields.ts";
import type { QueryField } from "./fields.ts";

/** What a call of a procedure takes; the part of tRPC's own caller that one procedure needs. */
type Call = (options: {
  ctx: unknown;
  path: string;
  type: "query" | "mutation";
  getRawInput: () => Promise<unknown>;
  signal: AbortSignal | undefined;
  batchIndex: number;
}) => Promise<unknown>;

/** A documented procedure as one operation of the REST surface. Made once, when the service starts. */
export interface Operation {
  /** `cards.get` */
  name: string;
  type: "query" | "mutation";
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** As documented: `/cards/{id}`. */
  path: string;
  /** As the router takes it: `/cards/:id`. */
  pattern: string;
  meta: DocumentedMeta;
  pathParameters: readonly string[];
  /** By name; an operation with a body takes none. */
  queryFields: ReadonlyMap<string, QueryField>;
  takesBody: boolean;
  inputs: readonly z.core.$ZodType[];
  call: Call;
}

const inputsOf = (procedure: AnyProcedure): z.core.$ZodType[] =>
  (procedure._def as unknown as { inputs: z.core.$ZodType[] }).inputs;

/** Every procedure of a router that has OpenAPI meta, in the router's order. */
export function operationsOf(router: AnyRouter): Operation[] {
  const operations: Operation[] = [];
  const procedures = router._def.procedures as Record<string, AnyProcedure>;
  forEachOpenApiProcedure(procedures as never, ({ path: name, type }) => {
    const procedure = procedures[name];
    if (procedure === undefined || type === "subscription") return;
    operations.push(operationOf(name, type, procedure));
  });
  return operations;
}

function operationOf(name: string, type: "query" | "mutation", procedure: AnyProcedure): Operation {
  const meta = procedure._def.meta as DocumentedMeta;
  const { method, path } = meta.openapi;
  const pathParameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter = ""]) => parameter);
  const inputs = inputsOf(procedure);
  const takesBody = method !== "GET" && method !== "DELETE";
  const shape = takesBody ? {} : inputShape(inputs);
  return {
    name,
    type,
    method,
    path,
    pattern: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    meta,
    pathParameters,
    queryFields: new Map(
      Object.entries(shape)
        .filter(([field]) => !pathParameters.includes(field))
        .map(([field, schema]) => [field, queryFieldOf(schema)]),
    ),
    takesBody,
    inputs,
    call: procedure,
  };
}
