import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { problemOf } from "../app/problem.ts";
import type { Problem } from "../app/problem.ts";
import { ProblemFacts } from "./problem-panel.tsx";

/** It stays until it is closed: somebody may have to read the request out to us. */
const stays = { color: "red", autoClose: false } as const;

/**
 * Says in a toast why an action failed, in the service's words, with its code and its request.
 * @param options.title what was not done: "Not sent again"
 * @param options.retry does it once more; offered where that may help, for a refusal stays one
 */
export function tellProblem(
  error: unknown,
  { title, retry }: { title?: string; retry?: () => void } = {},
): void {
  const problem = problemOf(error);
  // The same again takes the place of what stands there.
  const id = `problem ${title ?? ""} ${problem.code}`;
  notifications.hide(id);
  notifications.show({
    ...stays,
    id,
    ...(title === undefined ? {} : { title }),
    message: (
      <>
        <span className="wrap">{wordsOf(problem)}</span>
        <ProblemFacts problem={problem} />
        {retry === undefined || !mayPass(problem) ? null : (
          <Group mt={8}>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                notifications.hide(id);
                retry();
              }}
            >
              Retry
            </Button>
          </Group>
        )}
      </>
    ),
  });
}

function wordsOf({ message, details }: Problem): string {
  const said = details.map((detail) => detail.message.replace(/\.?$/, ".")).join(" ");
  return said === "" ? message : `${message} ${said}`;
}

/** Out of reach, overloaded or too fast: it may go another time. */
function mayPass({ status }: Problem): boolean {
  return status === null || status >= 500 || status === 429;
}
