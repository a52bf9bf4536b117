import { PosError } from '../../domain/errors.ts';
import { answerRefundWithinMs } from '../../domain/patience.ts';
import { mayStillBeCarriedOut, waitedTooLong } from '../../domain/refusals/platform.ts';

/** A register waits half a minute; an answer after twice that time is useless to it. */
export const defaultTimeoutMs = 60_000;

/** Called when a request begins something that cannot be undone. */
export interface Progress {
  /** Fails where the request was given up before: work without a waiting caller must not begin. */
  begin(): void;
  hasBegun(): boolean;
  /** The route gives money back: it is answered within eight seconds of the request's start, whatever is frozen. */
  isRefund(): void;
}

/**
 * Limits the time of a whole request: 503 when it is given up before anything began, 504 after that. A refund has one
 * deadline of eight seconds, and after it began its 503 says that it may still be carried out: its repeat is safe.
 *
 * The request is not stopped: work that began may still finish.
 */
export function inTime<Answer>(
  work: (progress: Progress) => Promise<Answer>,
  timeoutMs: number,
  refundTimeoutMs: number = answerRefundWithinMs,
): Promise<Answer> {
  const startedAt = performance.now();
  let hasBegun = false;
  let isLate = false;
  let late: () => PosError = tooLong;
  const begin = () => {
    if (isLate) throw waitedTooLong();
    hasBegun = true;
  };
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      isLate = true;
      reject(hasBegun ? late() : waitedTooLong());
    };
    let timer = setTimeout(giveUp, timeoutMs);
    const isRefund = () => {
      if (isLate) return;
      late = mayStillBeCarriedOut;
      clearTimeout(timer);
      const leftMs = Math.min(timeoutMs, refundTimeoutMs) - (performance.now() - startedAt);
      timer = setTimeout(giveUp, Math.max(0, leftMs));
    };
    work({ begin, hasBegun: () => hasBegun, isRefund }).then(
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
