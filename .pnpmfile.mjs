/**
 * The npm packages that carry a Node binary publish `os` and `cpu` as strings, which pnpm does not
 * read as a restriction: without this every platform's binary (60 MB each) would be fetched.
 */
const asList = (value) => (typeof value === "string" ? [value] : value);

export const hooks = {
  readPackage(manifest) {
    if (manifest.name?.startsWith("node-")) {
      if (manifest.os !== undefined) manifest.os = asList(manifest.os);
      if (manifest.cpu !== undefined) manifest.cpu = asList(manifest.cpu);
    }
    return manifest;
  },
};
