import { randomInt } from 'node:crypto';
import { invalid } from '../domain/errors.ts';
import { createPasswordThreads, type CallerGroup } from './password-threads.ts';

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

/** Hashes in separate threads. The default group is staff. */
export function createPasswordHasher(): PasswordHasher {
  const hands = createPasswordThreads();
  return {
    async hash(password, crowd = 'staff') {
      if (Buffer.byteLength(password) > maxBytes)
        throw invalid('The password must not be longer than %1 bytes.', [maxBytes]);
      const { result } = await hands.ask({ kind: 'hash', password }, crowd);
      return String(result);
    },
    async verify(password, hash, crowd = 'staff') {
      const isTooLong = Buffer.byteLength(password) > maxBytes;
      const question = { kind: 'verify', password: isTooLong ? '' : password, hash: hash ?? nobodysHash } as const;
      const { result } = await hands.ask(question, crowd);
      return result === true && hash !== null && !isTooLong;
    },
    close: () => hands.close(),
  };
}
