import { expect, test } from "vitest";
import { files, importsOf, packageOf, rooms } from "./workspace.ts";

/** What each room may depend on of ours: architecture in one table. A room that is not here fails. */
const mayDependOn: Readonly<Record<string, readonly string[]>> = {
  "libs/kit": [],
  "libs/client": [],
  "libs/contract": [],
  "libs/catalogue": [],
  "libs/guides": ["contract"],
  "libs/domain": ["contract"],
  "libs/exchange": ["contract"],
  "libs/db": ["domain", "contract", "kit"],
  "libs/jobs": ["db", "contract", "kit"],
  "libs/photos": ["contract"],
  "libs/recogniser": ["photos", "providers", "contract", "kit"],
  "libs/core": [
    "catalogue",
    "db",
    "domain",
    "exchange",
    "labels",
    "photos",
    "providers",
    "recogniser",
    "contract",
    "kit",
  ],
  "libs/labels": ["contract"],
  "libs/delivery": ["jobs", "db", "domain", "contract", "kit"],
  "libs/providers": ["contract", "kit"],
  "libs/simulators": ["catalogue", "kit"],
  "libs/rest": ["core", "contract", "guides", "kit"],
  "libs/testkit": ["db", "kit", "mongod", "postgres"],
  "services/api": ["rest", "core", "delivery", "jobs", "db", "kit", "contract"],
  "services/worker": ["core", "delivery", "jobs", "db", "kit", "contract"],
  "services/sandbox": ["core", "db", "kit", "simulators"],
  "services/web": ["contract"],
  "tools/bench": [
    "catalogue",
    "client",
    "contract",
    "core",
    "db",
    "delivery",
    "domain",
    "jobs",
    "kit",
    "mongod",
    "postgres",
    "testkit",
    "demo",
    "recogniser",
    "simulators",
    "start",
  ],
  "tools/checks": [],
  "tools/client-tools": ["core", "rest"],
  "tools/deploy": ["kit", "providers"],
  "tools/e2e": [
    "client",
    "client-tools",
    "contract",
    "core",
    "db",
    "demo",
    "guides",
    "jobs",
    "kit",
    "mongod",
    "postgres",
    "simulators",
  ],
  "tools/demo": ["catalogue", "contract", "core", "db", "domain", "kit", "simulators"],
  "tools/mongod": ["postgres"],
  "tools/operator": ["contract", "core", "db", "delivery", "domain", "jobs", "kit"],
  "tools/postgres": [],
  "tools/receiver": ["client"],
  "tools/screens": [],
  "tools/start": ["db", "demo", "mongod", "postgres"],
};

/** In tests only, besides what the room may depend on anyway. */
const mayTestWith: Readonly<Record<string, readonly string[]>> = {
  "libs/client": ["contract", "testkit"],
  "libs/core": ["simulators"],
  "libs/delivery": ["client"],
  "libs/providers": ["simulators"],
  "services/api": ["client", "testkit", "mongod", "simulators"],
  "services/worker": ["client", "mongod"],
  "services/web": ["core", "testkit"],
  "tools/operator": ["demo"],
};

/** Libraries that one room hides from all others. */
const hidden: readonly { readonly library: RegExp; readonly rooms: readonly string[] }[] = [
  {
    library: /^(?:mongodb|agenda|@agendajs\/.+)$/u,
    rooms: ["libs/jobs", "libs/testkit", "tools/bench"],
  },
  { library: /^mongodb-memory-server/u, rooms: ["tools/mongod"] },
  { library: /^@mikro-orm\//u, rooms: ["libs/db"] },
  { library: /^(?:fastify|@fastify\/.+)$/u, rooms: ["libs/rest", "services/api", "tools/bench"] },
  { library: /^better-auth$/u, rooms: ["libs/core"] },
  { library: /^csv-parse$/u, rooms: ["libs/exchange"] },
];

const roomOf = (path: string): string => path.split("/").slice(0, 2).join("/");
const ours = (names: Readonly<Record<string, string>> | undefined): string[] =>
  Object.keys(names ?? {})
    .filter((name) => name.startsWith("@cardvault/"))
    .map((name) => name.slice("@cardvault/".length));

const sources = files().filter(({ path }) =>
  /^(?:libs|services|tools)\/.+\.(?:ts|tsx|mjs)$/u.test(path),
);
const isTest = (path: string): boolean =>
  /\.(?:test|spec)\.tsx?$|\/(?:test|tests)\/|^tools\/e2e\//u.test(path);

test.each(rooms())("$path depends only on the rooms it may", ({ path, manifest }) => {
  const allowed = mayDependOn[path];
  expect(allowed, `${path} is not in the table of boundaries`).toBeDefined();
  expect(manifest.name).toBe(`@cardvault/${path.split("/")[1]}`);
  expect(ours(manifest.dependencies).filter((name) => !allowed?.includes(name))).toEqual([]);
  const inTests = [...(allowed ?? []), "testkit", ...(mayTestWith[path] ?? [])];
  expect(ours(manifest.devDependencies).filter((name) => !inTests.includes(name))).toEqual([]);
});

test("every version is the catalogue's or the workspace's", () => {
  const foreign = rooms().flatMap(({ path, manifest }) =>
    Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    })
      .filter(([, version]) => !version.startsWith("catalog:") && version !== "workspace:*")
      .map(([name, version]) => `${path}: ${name} ${version}`),
  );
  expect(foreign).toEqual([]);
});

test("libraries that a room hides are imported nowhere else", () => {
  const broken = sources.flatMap(({ path, text }) =>
    importsOf(text)
      .map(({ name }) => packageOf(name))
      .filter((name) =>
        hidden.some((rule) => rule.library.test(name) && !rule.rooms.includes(roomOf(path))),
      )
      // A test may look into the job store from outside, as an operator would.
      .filter((name) => !(isTest(path) && name === "mongodb"))
      .map((name) => `${path} imports ${name}`),
  );
  expect(broken).toEqual([]);
});

test("packages are entered by their front door only", () => {
  const broken = sources.flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ name }) => /^@cardvault\/[^/]+\/./u.test(name))
      .map(({ name }) => `${path} imports ${name}`),
  );
  expect(broken).toEqual([]);
});

test("no relative import leaves its room", () => {
  const broken = sources.flatMap(({ path, text }) => {
    const depth = path.split("/").length - 3;
    return importsOf(text)
      .filter(({ name }) => (name.match(/\.\.\//gu) ?? []).length > depth)
      .map(({ name }) => `${path} imports ${name}`);
  });
  expect(broken).toEqual([]);
});

test("pages take only types from the server's rooms", () => {
  const broken = sources
    .filter(({ path }) => path.startsWith("services/web/") && !isTest(path))
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ name, isTypeOnly }) => {
          const isOurs = name.startsWith("@cardvault/") && name !== "@cardvault/contract";
          return isOurs && !isTypeOnly;
        })
        .map(({ name }) => `${path} imports ${name}`),
    );
  expect(broken).toEqual([]);
});
