/** What a system calls it when nobody answers. */
class TookTooLong extends Error {
  code = 'ETIMEDOUT';
}

/** @returns what `work` gives, or throws `ETIMEDOUT` when that takes longer; the work itself goes on */
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
