// Plain JavaScript without dependencies: this runs before anything is installed, on Node 20 or later.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const stampFile = join(root, "node_modules", ".cardvault-installed");
const oldestNode = 24;
const lookAtParentEveryMs = 500;

function manifests() {
  const found = ["package.json"];
  for (const group of ["libs", "services", "tools"]) {
    for (const name of readdirSync(join(root, group)).sort()) {
      const file = join(group, name, "package.json");
      if (existsSync(join(root, file))) found.push(file);
    }
  }
  return found;
}

/** A hash over everything that decides what an install brings. */
function wantedStamp(pnpm) {
  const hash = createHash("sha256").update(`${pnpm} ${process.platform} ${process.arch}\n`);
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.mjs", ...manifests()];
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Runs a program to its end; answers its exit status (1 when a signal ended it). */
function runToEnd(program, args, options) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, ...options });
    const printed = [];
    child.stdout?.on("data", (chunk) => printed.push(chunk));
    child.stderr?.on("data", (chunk) => printed.push(chunk));
    const end = (status, error) =>
      done({ status, output: Buffer.concat(printed).toString() + (error ?? "") });
    child.once("error", (error) => end(1, `${program}: ${error.message}\n`));
    child.once("close", (code) => end(code ?? 1));
  });
}

async function install({ quiet }) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const stamp = wantedStamp(packageManager);
  if (readIfThere(stampFile) === stamp) return;
  rmSync(stampFile, { force: true });
  const startedAt = Date.now();
  if (!quiet) console.log("Installing the workspace …");
  // CI keeps pnpm from asking; without --yes npx would ask for leave to fetch pnpm.
  const { status, output } = await runToEnd(
    "npx",
    ["--yes", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"],
    {
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
      env: { ...process.env, CI: "true" },
    },
  );
  if (status !== 0) {
    console.error(output);
    console.error("The workspace could not be installed; the reason stands above.");
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
  if (!quiet) console.log(`Installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** The workspace's own Node 24, else this one if it is new enough. */
function pickNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = process.platform === "win32" ? "node.exe" : "node";
  const own = join(root, "node_modules", `node-${platform}-${process.arch}`, "bin", name);
  if (existsSync(own)) return own;
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return process.execPath;
  console.error(
    `No Node ${oldestNode} comes from npm for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}.\n` +
      `Install Node ${oldestNode} or later (https://nodejs.org) and run the command again.`,
  );
  return process.exit(1);
}

/** Installs the workspace when something changed, and answers the path of a Node 24. */
export async function setUp(options = {}) {
  await install({ quiet: options.quiet === true });
  return pickNode();
}

async function grandparent() {
  const { status, output } = await runToEnd("ps", ["-o", "ppid=", "-p", String(process.ppid)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const pid = Number.parseInt(output, 10);
  return status === 0 && pid > 1 ? pid : undefined;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * A signal to npm does not reach the programs that npm started, and a killed npm leaves them running.
 * So they look whether npm (their parent, or the parent of the shell between) is still there.
 */
async function whenNpmIsGone(act) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const parent = process.ppid;
  const above = await grandparent();
  const timer = setInterval(() => {
    if (process.ppid === parent && (above === undefined || isAlive(above))) return;
    clearInterval(timer);
    act();
  }, lookAtParentEveryMs);
  timer.unref();
}

/** Runs a program of the repository on Node 24, hands signals on, and ends with its status. */
export async function handOver(node, file, args) {
  const child = spawn(node, [file, ...args], {
    stdio: "inherit",
    env: {
      // Compiled code is kept between runs: every program of the tree starts in two thirds of the time.
      NODE_COMPILE_CACHE: join(root, ".cache", "compiled"),
      ...process.env,
      CARDVAULT_PARENT: String(process.pid),
    },
  });
  let isDone = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (!isDone) child.kill(signal);
    });
  }
  void whenNpmIsGone(() => child.kill("SIGTERM"));
  const status = await new Promise((done) => {
    child.once("error", (error) => {
      console.error(`${node}: ${error.message}`);
      done(1);
    });
    child.once("exit", (code, signal) => done(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
  isDone = true;
  process.exit(status);
}
