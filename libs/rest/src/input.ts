import { VaultError } from "@cardvault/contract";
import type { FastifyRequest } from "fastify";
import { bodyMembers } from "./body.ts";
import type { Operation } from "./operations.ts";
import { decodeQuery, rawQueryOf } from "./query.ts";

/**
 * A procedure's input, from path, query and body. Whether it has the documented form is the
 * procedure's own check.
 *
 * @throws VaultError `validation_failed` for a body that is no object, for a member that repeats a
 *   parameter of the path, and for what {@link decodeQuery} refuses.
 */
export function inputOf(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const input = decodeQuery(rawQueryOf(request.raw.url ?? ""), operation.queryFields);
  if (operation.takesBody) Object.assign(input, bodyMembers(request.body));
  const parameters = request.params as Record<string, string>;
  for (const name of operation.pathParameters) {
    if (Object.hasOwn(input, name)) {
      throw new VaultError("validation_failed", {
        details: [{ path: name, message: "Unknown member" }],
      });
    }
    input[name] = parameters[name];
  }
  return input;
}
