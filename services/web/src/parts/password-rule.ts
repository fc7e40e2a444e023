const minLength = 10;
const maxLength = 128;

/** What is wrong with a new password, as the service would say; null where nothing is. */
export function passwordProblem(password: string): string | null {
  if (password.length < minLength) return `Use at least ${minLength} characters`;
  return password.length > maxLength ? `Use at most ${maxLength} characters` : null;
}
