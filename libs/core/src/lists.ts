/**
 * A page of a list, and on the first one how many rows there are in all: whoever goes on has been told.
 * @param count asked beside the page, for the first one alone
 */
export async function withTotal<Page extends object>(
  { cursor }: { cursor?: string | undefined },
  page: Promise<Page>,
  count: () => Promise<number | null>,
): Promise<Page & { total: number | null }> {
  const [rows, total] = await Promise.all([page, cursor === undefined ? count() : null]);
  return { ...rows, total };
}
