import { randomInt } from 'node:crypto';
import { oneTimeCodeFrom } from '../../domain/self-checkout/one-time-code.ts';
import { emailKey } from '../../domain/staff/email-key.ts';
import type { SecretBox } from '../support/secret-box.ts';

/** What goes into the mail of a code, sealed: whom to write to, and what. */
export interface SealedCode {
  email: string;
  code: string;
}

const purpose = 'one-time code';

/** A fresh one; each digit is drawn by itself, without a bias. */
export const newOneTimeCode = (length: number): string => oneTimeCodeFrom(() => randomInt(10), { length });

/** The e-mail as it is kept; differently written ones of one person are the same (spec 4.5). */
export const emailDigest = (box: SecretBox, email: string): string => box.digest(emailKey(email), `${purpose} e-mail`);

/**
 * The code as it is kept: a digest under the shop's key, bound to the request that made it, so that equal codes have
 * unequal digests. A slow hash would protect only from somebody who has the key as well, and who reads the sealed mail.
 */
export const codeDigest = (box: SecretBox, { code, requestKey }: { code: string; requestKey: string }): string =>
  box.digest(`${requestKey} ${code}`, purpose);

export const sealCode = (box: SecretBox, sealed: SealedCode): string => box.seal(JSON.stringify(sealed), purpose);

export function openCode(box: SecretBox, text: string): SealedCode {
  const sealed: SealedCode = JSON.parse(box.open(text, purpose));
  return sealed;
}
