import { PosError } from '../../domain/errors.ts';
import { waitedTooLong } from '../../domain/refusals/platform.ts';

/** A register waits half a minute; an answer after twice that time is useless to it. */
export const defaultTimeoutMs = 60_000;

/** Called when a request begins something that cannot be undone. */
export interface Progress {
  /** Fails where the request was given up before: work without a waiting caller must not begin. */
  begin(): void;
}

/**
 * Limits the time of a whole request: 503 when it is given up before anything began, 504 after that.
 *
 * It is not stopped: work that began may still finish.
 */
export function inTime<Answer>(work: (progress: Progress) => Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let hasBegun = false;
  let isLate = false;
  const begin = () => {
    if (isLate) throw waitedTooLong();
    hasBegun = true;
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      isLate = true;
      reject(hasBegun ? tooLong() : waitedTooLong());
    }, timeoutMs);
    work({ begin }).then(
      (answer) => {
        clearTimeout(timer);
        resolve(answer);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

const tooLong = () =>
  new PosError({
    status: 504,
    message: 'The request took too long. It may still be carried out; read again before repeating it.',
  });

/** Short, because a customer waits at the counter. */
const lookUpMs = 3_000;

/** The deadline of a provider that is only asked for data: by this machine's clock, which measures the wait. */
export const lookUpDeadline = () => new Date(Date.now() + lookUpMs);
