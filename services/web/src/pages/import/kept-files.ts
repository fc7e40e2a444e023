/** A photo that has not arrived yet, kept in the browser so that a reload goes on with it. */
interface KeptFile {
  importId: string;
  sha256: string;
  name: string;
  size: number;
  keptAtMs: number;
  file: Blob;
}

const databaseName = "vault-uploads";
const storeName = "files";
/** An import that nobody touched for so long is gone. */
const keptForMs = 14 * 86_400_000;

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.addEventListener("upgradeneeded", () => {
      request.result.createObjectStore(storeName, { keyPath: ["importId", "sha256"] });
    });
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("No storage")));
  });
}

/** One transaction; ends when the browser has written it. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result> | undefined,
): Promise<Result | undefined> {
  const database = await open();
  try {
    return await new Promise<Result | undefined>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = act(transaction.objectStore(storeName));
      const fail = () => reject(transaction.error ?? new Error("Not stored"));
      transaction.addEventListener("complete", () => resolve(request?.result));
      transaction.addEventListener("error", fail);
      transaction.addEventListener("abort", fail);
    });
  } finally {
    database.close();
  }
}

const ofImport = (importId: string): IDBKeyRange => IDBKeyRange.bound([importId], [importId, []]);

/** Answers whether there was room. */
export async function keepFile(file: KeptFile): Promise<boolean> {
  try {
    await inStore("readwrite", (store) => store.put(file));
    return true;
  } catch {
    return false;
  }
}

/** What of an import has not arrived, as far as this browser has it. */
export async function keptFiles(importId: string): Promise<KeptFile[]> {
  try {
    const all = await inStore<KeptFile[]>("readonly", (store) => store.getAll(ofImport(importId)));
    return all ?? [];
  } catch {
    return [];
  }
}

export async function forgetFile(importId: string, sha256: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete([importId, sha256])).catch(() => undefined);
}

export async function forgetImport(importId: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(ofImport(importId))).catch(() => undefined);
}

/** Files of imports that are gone by now. */
export async function forgetOldFiles(nowMs: number): Promise<void> {
  await inStore<IDBValidKey[]>("readwrite", (store) => {
    const cursor = store.openCursor();
    cursor.addEventListener("success", () => {
      const at = cursor.result;
      if (at === null) return;
      if ((at.value as KeptFile).keptAtMs < nowMs - keptForMs) at.delete();
      at.continue();
    });
    return undefined;
  }).catch(() => undefined);
}
