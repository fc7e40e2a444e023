import { Ajv2020 } from "ajv/dist/2020.js";
import { cardPatch, eventTypes, restErrorTable } from "@cardvault/contract";
import { appRouter } from "@cardvault/core";
import { fastify as createFastify } from "fastify";
import { describe, expect, test } from "vitest";
import type { oas31 } from "zod-openapi";
import * as z from "zod";
import { openApiDocument } from "./document.ts";
import { inputShape } from "./fields.ts";
import { operationsOf } from "./operations.ts";
import { registerDocs } from "./register-docs.ts";
import { router as testRouter } from "./test-app.ts";

const document = openApiDocument({ router: appRouter, publicUrl: "https://vault.example" });

const methods = ["get", "put", "post", "delete", "patch"] as const;

function operationsIn(paths: oas31.PathsObject | undefined) {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "$ref" && typeof member === "string" ? [member] : referencesIn(member),
  );
}

function resolve(reference: string): unknown {
  const steps = reference.replace("#/", "").split("/");
  return steps.reduce<unknown>(
    (at, step) => (at as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

describe("the API description", () => {
  test("holds exactly the documented operations", () => {
    expect(
      operationsIn(document.paths)
        .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
        .sort(),
    ).toEqual([
      "GET /batches",
      "GET /batches/{id}/cards",
      "GET /cards",
      "GET /cards/{id}",
      "GET /listings",
      "PATCH /cards/{id}",
      "POST /identify",
      "POST /listings/{cardId}/publish",
      "POST /price-lookup",
    ]);
  });

  test("is OpenAPI 3.1 with the eight webhooks, and names the service", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: "https://vault.example" }]);
    expect(Object.keys(document.webhooks ?? {})).toEqual([...eventTypes]);
    expect(document.components?.securitySchemes).toHaveProperty("bearerToken");
  });

  test("every reference leads somewhere, and no component is left over", () => {
    const references = new Set(referencesIn(document));
    expect([...references].filter((reference) => resolve(reference) === undefined)).toEqual([]);
    const components = Object.entries(document.components ?? {})
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, members]) =>
        Object.keys(members as object).map((name) => `#/components/${kind}/${name}`),
      );
    expect(components.filter((component) => !references.has(component))).toEqual([]);
  });

  test("every operation has an id of its own, a summary, a tag and a token", () => {
    const operations = [...operationsIn(document.paths), ...operationsIn(document.webhooks)];
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(operations.length);
    expect(ids).not.toContain(undefined);
    for (const { path, operation } of operations) {
      expect({ path, ...operation }).toMatchObject({
        summary: expect.stringMatching(/./) as string,
        tags: [expect.any(String)],
      });
    }
    for (const { operation } of operationsIn(document.paths)) {
      expect(operation.security).toEqual([{ bearerToken: [] }]);
    }
  });

  test("every answer has its limit headers, and every error is of the closed table", () => {
    for (const { path, operation } of operationsIn(document.paths)) {
      for (const [status, given] of Object.entries(operation.responses ?? {})) {
        const answer = ("$ref" in given ? resolve(given.$ref) : given) as oas31.ResponseObject;
        expect({ path, status, ...answer.headers }).toHaveProperty("X-RateLimit-Reset");
        const examples = answer.content?.["application/json"]?.examples ?? {};
        for (const [code, example] of Object.entries(examples)) {
          expect(restErrorTable).toHaveProperty(code);
          expect(example).toMatchObject({ value: { error: { code, status: Number(status) } } });
        }
        expect(Number(status) < 400 || Object.keys(examples).length > 0).toBe(true);
      }
      expect(Object.keys(operation.responses ?? {})).toEqual(
        expect.arrayContaining(["200", "400", "401", "403", "429", "500", "503"]),
      );
    }
  });

  test("every schema compiles, and every example fits its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "https://vault.example/openapi", ...document });
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      const validate = ajv.compile({
        $ref: `https://vault.example/openapi#/components/schemas/${name}`,
      });
      for (const example of (schema as oas31.SchemaObject).examples ?? []) {
        validate(example);
        expect({ name, errors: validate.errors }).toEqual({ name, errors: null });
      }
    }
  });

  test("a body with a name has the members that the procedure takes beside the path's", () => {
    const operation = operationsOf(appRouter).find(({ method }) => method === "PATCH");
    const shape = Object.keys(inputShape(operation?.inputs ?? []));
    expect(Object.keys(cardPatch.shape).sort()).toEqual(
      shape.filter((name) => name !== "id").sort(),
    );
  });

  test("making it leaves the schemas as they are: a null stays null", () => {
    openApiDocument({ router: testRouter, publicUrl: "https://vault.example" });
    const operation = operationsOf(testRouter).find(({ name }) => name === "things.change");
    const [input = z.never()] = operation?.inputs ?? [];
    const parse = (value: unknown): unknown => z.safeParse(input, value);
    expect(parse({ id: "x", price: null })).toEqual({
      success: true,
      data: { id: "x", price: null },
    });
    expect(parse({ id: "x", price: "5" })).toMatchObject({ success: false });
  });
});

describe("the pages of the description", () => {
  test("are served by us, with nothing inline and nothing from elsewhere", async () => {
    const fastify = createFastify();
    registerDocs(fastify, document);
    const page = await fastify.inject("/docs");
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.body).not.toMatch(/<script(?! src="\/docs\/)|<style|https?:/);
    expect(page.body).toContain("<title>API reference · Card Vault</title>");
    const style = await fastify.inject("/docs/house.css");
    expect(style.headers["content-type"]).toContain("text/css");
    expect(style.body).not.toMatch(/@import|url\(/);
    const script = await fastify.inject("/docs/reference.js");
    expect(script.statusCode).toBe(200);
    expect(script.body).toContain("createApiReference");
    const packed = await fastify.inject({
      url: "/openapi.json",
      headers: { "accept-encoding": "gzip" },
    });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    const plain = await fastify.inject("/openapi.json");
    expect(plain.json()).toEqual(JSON.parse(JSON.stringify(document)));
    const again = await fastify.inject({
      url: "/openapi.json",
      headers: { "if-none-match": String(plain.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    await fastify.close();
  });

  test("hold the schema of each event", async () => {
    const fastify = createFastify();
    registerDocs(fastify, document);
    for (const name of eventTypes) {
      const response = await fastify.inject(`/schemas/${name}.json`);
      expect(response.json()).toMatchObject({ properties: { event: { const: name } } });
    }
    await fastify.close();
  });
});
