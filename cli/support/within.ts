/** An error with the system's code for a timeout. */
class TookTooLong extends Error {
  code = 'ETIMEDOUT';
}

/** @returns the result of `work`, or throws `ETIMEDOUT` when that takes longer; the work itself continues */
export async function within<Result>(ms: number, who: string, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`${who} said nothing for ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
