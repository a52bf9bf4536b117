import { randomInt } from 'node:crypto';
import { invalid } from '../domain/errors.ts';
import { tooManySignIns } from '../domain/refusals/platform.ts';
import type { PasswordAnswer, PasswordJob } from './password-worker.ts';
import { Threads } from './threads.ts';

/**
 * Groups of callers that wait for hashing. Customers and callers without a token form one group, which never uses the
 * cashiers' thread.
 */
export type CallerGroup = 'staff' | 'anonymous';

/** Hashes passwords and passcodes. Each hash takes 70 ms, which must not block the main thread. */
export interface PasswordHasher {
  /** Refused with: 400 more than 72 bytes, which bcrypt would cut off · 503 too many waiting. */
  hash: (password: string, crowd?: CallerGroup) => Promise<string>;
  /**
   * Whether the password fits. Null stands for an unknown user: it takes the same time and never fits. A password of
   * more than 72 bytes does the same. Refused with 503: too many waiting.
   */
  verify: (password: string, hash: string | null, crowd?: CallerGroup) => Promise<boolean>;
  close: () => Promise<void>;
}

/** The longest password that bcrypt reads completely. */
const maxBytes = 72;
/** The hash of a random password that was not kept. */
const nobodysHash = '$2b$10$fMsHPyI1T6sdJaBhnsm8Y./K3aNHpmVbD9zX2O.FvRyO6KSTqaewm';

const passcodeDigits = 6;

/** A passcode for the keys of a register. Waits that grow with each wrong guess protect it. */
export const newPasscode = (): string => String(randomInt(10 ** passcodeDigits)).padStart(passcodeDigits, '0');

/** A thread hashes some 14 passwords a second. */
const crew = {
  program: new URL('password-worker', import.meta.url),
  tooMany: tooManySignIns.message,
};

/**
 * Hashes in separate threads. The default group is staff. Refused with 503: too many callers of a group are waiting.
 */
export function createPasswordHasher(): PasswordHasher {
  const threads: Record<CallerGroup, Threads<PasswordJob, PasswordAnswer>> = {
    staff: new Threads({ ...crew, threads: 2, mostWaiting: 128 }),
    anonymous: new Threads({ ...crew, threads: 1, mostWaiting: 32 }),
  };
  return {
    async hash(password, crowd = 'staff') {
      if (Buffer.byteLength(password) > maxBytes)
        throw invalid('The password must not be longer than %1 bytes.', [maxBytes]);
      return String(await threads[crowd].ask({ kind: 'hash', password }));
    },
    async verify(password, hash, crowd = 'staff') {
      const isTooLong = Buffer.byteLength(password) > maxBytes;
      const question = { kind: 'verify', password: isTooLong ? '' : password, hash: hash ?? nobodysHash } as const;
      return (await threads[crowd].ask(question)) === true && hash !== null && !isTooLong;
    },
    close: async () => void (await Promise.all([threads.staff.close(), threads.anonymous.close()])),
  };
}
