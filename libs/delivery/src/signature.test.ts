import { randomBytes } from "node:crypto";
import { verifyWebhook } from "@cardvault/client";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { deliveryHeaders } from "./request.ts";
import { standardSignature, vaultSignature } from "./signature.ts";

const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify({
  id: "evt_01kjn2z6g0fgz9pqafd9r83gq3",
  event: "batch.completed",
  created_at: "2026-03-01T09:30:00.000Z",
  account_id: "acc_01kjn2z6g0fgz9pqafd9r83gq3",
  data: { name: "Ünïcödé 🃏" },
});

test("signs as the spec says: made with openssl, the whole secret as the key", () => {
  // printf '%s' '1772357400.{"a":1}' | openssl dgst -sha256 -hmac whsec_dGVzdA==
  expect(vaultSignature("whsec_dGVzdA==", 1_772_357_400, '{"a":1}')).toBe(
    "t=1772357400,v1=069ff81dc3275f7353cf5d76ae5e7b2d3dbcc9d80b29e849f22ab7667dd57354",
  );
});

test("our client and the public Standard Webhooks library verify the same request", () => {
  const secret = newSecret();
  const at = new Date();
  const headers = deliveryHeaders({
    eventId: "evt_1",
    body,
    secret,
    standardSecrets: [secret],
    at,
  });
  expect(verifyWebhook(body, headers["x-vault-signature"], secret, { now: at })).toEqual(
    JSON.parse(body),
  );
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow("No matching signature");
});

test("during a rotation either secret verifies the Standard Webhooks headers", () => {
  const [old, next] = [newSecret(), newSecret()];
  const headers = deliveryHeaders({
    eventId: "evt_1",
    body,
    secret: old,
    standardSecrets: [old, next],
    at: new Date(),
  });
  for (const secret of [old, next]) new Webhook(secret).verify(body, headers);
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  expect(headers["x-vault-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/u);
});

test("the Standard Webhooks signature is the library's own", () => {
  const secret = newSecret();
  const at = new Date(1_772_357_400_000);
  expect(standardSignature([secret], "evt_1", 1_772_357_400, body)).toBe(
    new Webhook(secret).sign("evt_1", at, body),
  );
});
