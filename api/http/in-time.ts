import { PosError, unavailable } from '../../domain/errors.ts';

/** Told when a request begins what cannot be taken back. */
export interface Progress {
  /** Fails where the request was given up before: nothing is begun then that nobody waits for. */
  begin(): void;
}

/**
 * Answers a whole request in time, whatever it waits for: 503 when it is given up before anything was begun, 504 after.
 *
 * Given up, not stopped: what was begun may still be carried out.
 */
export async function inTime<Answer>(
  work: (progress: Progress) => Promise<Answer>,
  timeoutMs: number,
): Promise<Answer> {
  let hasBegun = false;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(hasBegun ? tooLong() : notBegun());
    }, timeoutMs);
  });
  const begin = () => {
    if (isLate) throw notBegun();
    hasBegun = true;
  };
  try {
    return await Promise.race([work({ begin }), late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooLong = () =>
  new PosError({
    status: 504,
    message: 'The request took too long. It may still be carried out; read again before repeating it.',
  });

const notBegun = () => unavailable('The request waited too long, and nothing was done. Try again later.');
