/**
 * What the work answers, if it does so in time. Late work is left behind, not ended: what comes of it is nobody's.
 * @throws what the work throws, or an Error where the time is over
 */
export async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("It took too long.")), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
