const keyPattern = /^(?:[0-9a-z_-]+\/)*[0-9a-z_-]+\.[a-z0-9]+$/;

/** @throws TypeError for what could leave the store's folder. */
export function checkedKey(key: string): string {
  if (!keyPattern.test(key)) throw new TypeError("Not a key of a picture");
  return key;
}

/** @throws TypeError for what is no folder of the store, and for all of it. */
export function checkedFolder(name: string): string {
  if (!/^[0-9a-z_-]+$/.test(name)) throw new TypeError("Not a folder of pictures");
  return name;
}

/** Whether an error says that there is no such file; flydrive wraps what its drivers throw. */
export function isMissing(error: unknown): boolean {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if ("code" in one && one.code === "ENOENT") return true;
    if (one.name === "NoSuchKey" || one.name === "NotFound") return true;
  }
  return false;
}
