import { VaultError } from "@cardvault/contract";
import { describe, expect, test } from "vitest";
import { call, expectError, state, useTestApp } from "./test-app.ts";

useTestApp();

describe("conditional requests", () => {
  test.each(['"3"', 'W/"3"', '"1", "3"', "*"])("If-None-Match %s is 304", async (header) => {
    const response = await call("GET", "/things/one", { headers: { "if-none-match": header } });
    expect(response.statusCode).toBe(304);
    expect(response.body).toBe("");
    expect(response.headers.etag).toBe('"3"');
  });

  test("another tag is 200", async () => {
    const response = await call("GET", "/things/one", { headers: { "if-none-match": '"2"' } });
    expect(response.statusCode).toBe(200);
  });

  test("If-Match reaches the procedure", async () => {
    const response = await call("PATCH", "/things/one", { headers: { "if-match": '"2"' } });
    expectError(response, 412, "precondition_failed");
  });
});

describe("idempotent requests", () => {
  const once = (key: string, body: string) =>
    call("PATCH", "/things/one", {
      payload: body,
      headers: { "content-type": "application/json", "idempotency-key": key },
    });

  test("a repeat answers what was stored, whatever the order of its members", async () => {
    const first = await once("a", '{"name":"Two","price":1}');
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    const second = await once("a", '{ "price": 1, "name": "Two" }');
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect({ body: second.body, etag: second.headers.etag, status: second.statusCode }).toEqual({
      body: first.body,
      etag: first.headers.etag,
      status: first.statusCode,
    });
    expect(state.runs).toBe(1);
  });

  test("another body under the key is 422", async () => {
    await once("a", '{"name":"Two"}');
    expectError(await once("a", '{"name":"Three"}'), 422, "idempotency_key_reused");
  });

  test("one that is still running is 409 with Retry-After", async () => {
    await once("a", "{}");
    for (const record of state.idempotency.records.values()) delete record.answer;
    const response = await once("a", "{}");
    expectError(response, 409, "idempotency_in_progress");
    expect(response.headers["retry-after"]).toBe("7");
  });

  test("refusals by the state are stored, failures of the moment and wrong forms are not", async () => {
    state.fail = new VaultError("invalid_transition");
    const first = await once("a", "{}");
    const second = await once("a", "{}");
    expect(second.body).toBe(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    state.fail = new VaultError("service_unavailable");
    expectError(await once("b", "{}"), 503, "service_unavailable");
    state.fail = undefined;
    expect((await once("b", "{}")).statusCode).toBe(200);
    expectError(await once("c", '{"colour":1}'), 400, "validation_failed");
    expect((await once("c", "{}")).statusCode).toBe(200);
  });

  test.each(["", "x".repeat(256), "\u00e9"])("the key '%s' is refused", async (key) => {
    expectError(await once(key, "{}"), 400, "validation_failed");
  });
});
