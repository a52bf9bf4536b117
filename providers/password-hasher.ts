import { invalid } from '../domain/errors.ts';
import { PasswordHands, type Crowd } from './password-hands.ts';

/** Passwords and passcodes: hashing takes 70 ms, which the main thread must not stand still for. */
export interface PasswordHasher {
  /** Refused with: 400 more than 72 bytes, which bcrypt would cut off · 503 too many waiting. */
  hash: (password: string, crowd?: Crowd) => Promise<string>;
  /**
   * Whether the password fits. Null, for a user nobody knows, takes as long as any other and never fits; so does a
   * password of more than 72 bytes. Refused with 503: too many waiting.
   */
  verify: (password: string, hash: string | null, crowd?: Crowd) => Promise<boolean>;
  close: () => Promise<void>;
}

/** The largest password bcrypt sees whole. */
const maxBytes = 72;
/** Of a random password nobody kept. */
const nobodysHash = '$2b$10$fMsHPyI1T6sdJaBhnsm8Y./K3aNHpmVbD9zX2O.FvRyO6KSTqaewm';

/** In threads of its own. Whoever does not say otherwise is staff. */
export function createPasswordHasher(): PasswordHasher {
  const hands = new PasswordHands();
  return {
    async hash(password, crowd = 'staff') {
      if (Buffer.byteLength(password) > maxBytes)
        throw invalid('The password must not be longer than %1 bytes.', [maxBytes]);
      return String(await hands.ask({ kind: 'hash', password }, crowd));
    },
    async verify(password, hash, crowd = 'staff') {
      const isTooLong = Buffer.byteLength(password) > maxBytes;
      const question = { kind: 'verify', password: isTooLong ? '' : password, hash: hash ?? nobodysHash } as const;
      const fits = await hands.ask(question, crowd);
      return fits === true && hash !== null && !isTooLong;
    },
    close: () => hands.close(),
  };
}
