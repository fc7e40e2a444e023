import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSecretBox } from "../secret-box.ts";
import { readServiceConfig, serviceSettings } from "./service-settings.ts";
import {
  boolean,
  ConfigError,
  duration,
  integer,
  list,
  optional,
  port,
  readSettings,
  setting,
  size,
  text,
  url,
} from "./settings.ts";

const key = randomBytes(32).toString("base64");
const otherKey = randomBytes(32).toString("base64");
const least = {
  PUBLIC_URL: "https://vault.example.com",
  DATABASE_URL: "postgres://vault:p4ssw0rd@db:5432/vault",
  VAULT_ENCRYPTION_KEYS: `k1:${key}`,
};

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("settings", () => {
  const all = {
    waitMs: setting("WAIT", "A wait.", duration({ minMs: 1, maxMs: 86_400_000 })),
    maxBodyBytes: setting("MAX_BODY", "A size.", size({ minBytes: 1, maxBytes: 1_024 ** 3 })),
    home: setting("HOME_URL", "A URL.", url("https")),
    isOn: setting("IS_ON", "A switch.", boolean()),
    count: setting("COUNT", "A number.", integer(2, 5)),
    ports: setting("PORTS", "Ports.", list(port())),
    note: setting("NOTE", "A text.", optional(text())),
  };
  const good = {
    WAIT: "10s",
    MAX_BODY: "256KiB",
    HOME_URL: "https://a.example/b",
    IS_ON: "yes",
    COUNT: "3",
  };

  it("are typed values in units of their names", () => {
    const values = readSettings(all, { ...good, PORTS: "443, 8443", NOTE: "" });
    const maxBodyBytes: number = values.maxBodyBytes;
    const note: string | undefined = values.note;
    expect({ ...values, maxBodyBytes, note }).toEqual({
      waitMs: 10_000,
      maxBodyBytes: 262_144,
      home: "https://a.example/b",
      isOn: true,
      count: 3,
      ports: [443, 8443],
      note: undefined,
    });
  });

  it.each([
    ["WAIT", "250ms", "waitMs", 250],
    ["WAIT", "5m", "waitMs", 300_000],
    ["WAIT", "24h", "waitMs", 86_400_000],
    ["WAIT", "1d", "waitMs", 86_400_000],
    ["MAX_BODY", "512B", "maxBodyBytes", 512],
    ["MAX_BODY", "10MiB", "maxBodyBytes", 10_485_760],
    ["IS_ON", "off", "isOn", false],
    ["IS_ON", "TRUE", "isOn", true],
    ["PORTS", "", "ports", []],
    ["COUNT", " 3 ", "count", 3],
  ])("%s=%j is %s %j", (name, given, member, value) => {
    expect(readSettings(all, { ...good, [name]: given })).toHaveProperty(member, value);
  });

  it.each([
    ["WAIT", "10"],
    ["WAIT", "10 s"],
    ["WAIT", "-1s"],
    ["WAIT", "1.5s"],
    ["WAIT", "25h"],
    ["WAIT", "0s"],
    ["MAX_BODY", "256"],
    ["MAX_BODY", "256KB"],
    ["MAX_BODY", "2GiB"],
    ["HOME_URL", "http://a.example"],
    ["HOME_URL", "a.example"],
    ["IS_ON", "maybe"],
    ["COUNT", "1"],
    ["COUNT", "6"],
    ["COUNT", "3.0"],
    ["COUNT", "0x3"],
    ["COUNT", "1e0"],
    ["PORTS", "443,,8443"],
    ["PORTS", "443,65536"],
    ["PORTS", "0"],
    ["COUNT", ""],
    ["COUNT", undefined],
  ])("%s=%j is one problem that names the variable", (name, given) => {
    const problems = problemsOf(() => readSettings(all, { ...good, [name]: given }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} (must|has|is required)`));
  });
});

describe("a setting from a file", () => {
  const secret = { secret: setting("SECRET", "A secret.", text()) };
  const file = join(mkdtempSync(join(tmpdir(), "cardvault-kit-")), "secret");
  writeFileSync(file, " from-a-file\n");

  it("is what the file holds, without the line's end", () => {
    expect(readSettings(secret, { SECRET_FILE: file })).toEqual({ secret: "from-a-file" });
    expect(readSettings(secret, { SECRET: "s", SECRET_FILE: " " })).toEqual({ secret: "s" });
  });

  it.each([
    [{ SECRET: "s", SECRET_FILE: file }, "SECRET is given twice, by SECRET_FILE too."],
    [
      { SECRET_FILE: `${file}-gone` },
      "SECRET cannot be read from the file that SECRET_FILE names.",
    ],
    [{ SECRET_FILE: "/dev/null" }, "SECRET is required."],
  ])("that cannot be taken is a problem: %j", (env, problem) => {
    expect(problemsOf(() => readSettings(secret, env))).toEqual([problem]);
  });
});

describe("the services' configuration", () => {
  it("has defaults for all but three", () => {
    const config = readServiceConfig(least);
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      publicUrl: "https://vault.example.com",
      logLevel: "info",
      metricsPort: undefined,
      rateLimitStore: "memory",
      trustProxy: false,
      smtpUrl: undefined,
      receiverPorts: [443],
      jobStore: { kind: "postgres", url: least.DATABASE_URL },
    });
  });

  it("refuses to start without an encryption key, and says why and what to do", () => {
    const { VAULT_ENCRYPTION_KEYS: _, ...without } = least;
    for (const env of [without, { ...without, VAULT_ENCRYPTION_KEYS: " " }]) {
      expect(() => readServiceConfig(env)).toThrow(
        /VAULT_ENCRYPTION_KEYS is required: webhook signing secrets are stored encrypted.*openssl rand/,
      );
    }
  });

  it("lists all problems at once, and no value", () => {
    const env = {
      PUBLIC_URL: "https://vault.example.com/s3cret-path",
      DATABASE_URL: "mysql://vault:s3cret-database@db/vault",
      MONGODB_URL: "s3cret-mongo",
      VAULT_ENCRYPTION_KEYS: "k1:s3cret-key",
      SMTP_URL: "https://user:s3cret-mail@mail",
      PORT: "s3cret-port",
      LOG_LEVEL: "s3cret-level",
      TRUST_PROXY: "true",
      WEBHOOK_PORTS: "s3cret-list",
    };
    const problems = problemsOf(() => readServiceConfig(env));
    expect(problems.map((it) => it.split(" ")[0])).toEqual(
      Object.values(serviceSettings)
        .map((it) => it.name)
        .filter((name) => name in env),
    );
    expect(problems.join("\n")).not.toContain("s3cret");
    expect(() => readServiceConfig(env)).toThrow(
      /^The configuration is not usable:\n {2}- PORT must/,
    );
  });

  it.each([
    `k1:${key.slice(0, -4)}`,
    `k1:${key}=`,
    key,
    `:${key}`,
    `a b:${key}`,
    `k1:${key},`,
    `k1:${key},k1:${otherKey}`,
    `k1:${randomBytes(16).toString("base64")}`,
  ])("refuses encryption keys %#", (given) => {
    const problems = problemsOf(() =>
      readServiceConfig({ ...least, VAULT_ENCRYPTION_KEYS: given }),
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain(key.slice(0, 20));
  });

  it("encrypts with the first key and reads with all", () => {
    const { encryptionKeys } = readServiceConfig({
      ...least,
      VAULT_ENCRYPTION_KEYS: `new:${otherKey}, k1:${key}`,
    });
    const old = createSecretBox(readServiceConfig(least).encryptionKeys).seal("a", "row");
    const box = createSecretBox(encryptionKeys);
    expect(box.open(old, "row")).toBe("a");
    expect(box.seal("a", "row")).toMatch(/^v1\.new\./);
  });

  it("chooses the job store once", () => {
    const mongo = { ...least, MONGODB_URL: "mongodb://mongo:27017/jobs" };
    expect(readServiceConfig(mongo).jobStore).toEqual({ kind: "mongodb", url: mongo.MONGODB_URL });
    expect(readServiceConfig({ ...mongo, JOB_STORE: "postgres" }).jobStore.kind).toBe("postgres");
    expect(problemsOf(() => readServiceConfig({ ...least, JOB_STORE: "mongodb" }))).toEqual([
      "MONGODB_URL is required: JOB_STORE is mongodb.",
    ]);
  });

  it.each([
    ["2", 2],
    ["0", false],
    ["false", false],
    ["10.0.0.1, 192.168.0.0/16,fd00::/8", ["10.0.0.1", "192.168.0.0/16", "fd00::/8"]],
  ])("trusts proxies %j", (given, value) => {
    expect(readServiceConfig({ ...least, TRUST_PROXY: given }).trustProxy).toEqual(value);
  });

  it.each(["true", "10", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "proxy.example.com"])(
    "does not trust %j",
    (given) => {
      expect(problemsOf(() => readServiceConfig({ ...least, TRUST_PROXY: given }))).toHaveLength(1);
    },
  );

  it("keeps 443 beside the ports that are added, each once", () => {
    expect(readServiceConfig({ ...least, WEBHOOK_PORTS: "8443,443" }).receiverPorts).toEqual([
      443, 8443,
    ]);
  });
});
