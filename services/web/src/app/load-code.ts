import { CodeMissing } from "./problem.ts";

/** Whether a style sheet has failed: the import is told of it once, and asks for it no more. */
let hasStylesToMend = false;

/**
 * Code that comes when it is needed. It may be asked for again.
 * @throws CodeMissing
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    if (hasStylesToMend) await mendStyles();
    return await load();
  } catch (cause) {
    hasStylesToMend = true;
    throw new CodeMissing(await areReplaced(), { cause });
  }
}

/** Whether the service has other pages by now than those that run here. False where it does not answer. */
async function areReplaced(): Promise<boolean> {
  const entry = document.querySelector("script[type=module][src]")?.getAttribute("src");
  try {
    const answer = await fetch("/sign-in", { cache: "no-store" });
    return answer.ok && entry != null && !(await answer.text()).includes(entry);
  } catch {
    return false;
  }
}

function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length >= 0;
  } catch {
    // What did not come has rules that nobody may read.
    return false;
  }
}

/** Asks again for the style sheets that did not come. @throws where one does not come again */
async function mendStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(
    (link) => !hasRules(link),
  );
  await Promise.all(
    failed.map(
      (link) =>
        new Promise<void>((resolve, reject) => {
          // A copy is loaded anew, the same element is not.
          const again = link.cloneNode() as HTMLLinkElement;
          again.addEventListener("load", () => resolve());
          again.addEventListener("error", () => reject(new Error(`No style sheet ${link.href}`)));
          link.replaceWith(again);
        }),
    ),
  );
  hasStylesToMend = false;
}
