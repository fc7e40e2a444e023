import { join } from "node:path";

/** Where files lie while they come. What a crash leaves there is swept. */
export function uploadsFolderOf({ photoFolder }: { photoFolder: string }): string {
  return join(photoFolder, "uploads");
}
