import { AuthError, problemOfAnswer, unreachable } from "./problem.ts";

/** Sentences of the house for the sign-in library's codes. */
const sentences: Record<string, string> = {
  invalid_email_or_password: "The e-mail address or the password is wrong.",
  invalid_email: "This is not an e-mail address.",
  invalid_token: "This link was used already, or is too old. Ask for a new one.",
  invalid_password: "The password that you have now is another one.",
  password_too_short: "The password is too short.",
  password_too_long: "The password is too long.",
};

/** @throws AuthError where the answer is not a success, or there is none. */
async function post(path: string, body: unknown): Promise<void> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new AuthError(unreachable);
  });
  if (response.ok) return;
  const answer: unknown = await response.json().catch(() => null);
  const problem = problemOfAnswer(response, answer);
  if (response.status === 429) {
    throw new AuthError({ ...problem, message: waitSentence(problem.retryAfterSeconds) });
  }
  throw new AuthError({ ...problem, message: sentences[problem.code] ?? problem.message });
}

function waitSentence(seconds: number | null): string {
  return seconds === null
    ? "Too many tries. Wait a minute and try again."
    : `Too many tries. Try again in ${seconds} s.`;
}

export function signIn(email: string, password: string): Promise<void> {
  return post("/auth/sign-in/email", { email, password });
}

export function signOut(): Promise<void> {
  return post("/auth/sign-out", {});
}

export function resetPassword(token: string, newPassword: string): Promise<void> {
  return post("/auth/reset-password", { token, newPassword });
}

/** Another password; the other sessions of the person end. @throws AuthError */
export function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const body = { currentPassword, newPassword, revokeOtherSessions: true };
  return post("/auth/change-password", body);
}
