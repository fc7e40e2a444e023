import { VaultError } from "@cardvault/contract";
import type { ErrorDetail } from "@cardvault/contract";
import { templateProblem } from "@cardvault/domain";

/**
 * Refuses templates with placeholders that there are not.
 * @param templates by the names of the request's members
 * @throws VaultError `validation_failed` that names each
 */
export function requireTemplates(templates: Readonly<Record<string, string | null>>): void {
  const details = Object.entries(templates).flatMap(([path, template]): ErrorDetail[] => {
    const message = template === null ? null : templateProblem(template);
    return message === null ? [] : [{ path, message }];
  });
  if (details.length > 0) throw new VaultError("validation_failed", { details });
}
