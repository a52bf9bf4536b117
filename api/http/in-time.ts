import { PosError } from '../../domain/errors.ts';
import { answerWriteWithinMs } from '../../domain/patience.ts';
import { mayStillBeCarriedOut, waitedTooLong } from '../../domain/refusals/platform.ts';

/** A register waits half a minute; an answer after twice that time is useless to it. */
export const defaultTimeoutMs = 60_000;

/** Called when a request begins something that cannot be undone. */
export interface Progress {
  /** Fails where the request was given up before: work without a waiting caller must not begin. */
  begin(): void;
  hasBegun(): boolean;
  /** The request writes: it is answered within eight seconds of its start, whatever is frozen. */
  isWrite(): void;
  /** A body that its caller sends: the deadline of a write stands still meanwhile. */
  whileSent<Body>(read: () => Promise<Body>): Promise<Body>;
}

/**
 * Limits the time of a whole request: 503 when it is given up before anything began, 504 after that. A write has a
 * deadline of eight seconds, and its 503 after it began says that it may still be carried out.
 *
 * The request is not stopped: work that began may still finish.
 */
export function inTime<Answer>(
  work: (progress: Progress) => Promise<Answer>,
  timeoutMs: number,
  writeTimeoutMs: number = answerWriteWithinMs,
): Promise<Answer> {
  let startedAt = performance.now();
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
    let limitMs = timeoutMs;
    const wait = (ms: number) => {
      clearTimeout(timer);
      if (!isLate) timer = setTimeout(giveUp, Math.max(0, ms - (performance.now() - startedAt)));
    };
    const isWrite = () => {
      late = mayStillBeCarriedOut;
      limitMs = Math.min(timeoutMs, writeTimeoutMs);
      wait(limitMs);
    };
    const whileSent = async <Body>(read: () => Promise<Body>): Promise<Body> => {
      const began = performance.now();
      wait(timeoutMs);
      const sent = await read();
      startedAt += performance.now() - began;
      wait(limitMs);
      return sent;
    };
    work({ begin, hasBegun: () => hasBegun, isWrite, whileSent }).then(
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
