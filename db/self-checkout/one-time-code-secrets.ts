import { randomInt } from 'node:crypto';
import { oneTimeCodeFrom } from '../../domain/self-checkout.ts';
import { emailKey } from '../../domain/staff.ts';
import type { SecretBox } from '../support/secret-box.ts';

/** The sealed content of a code's mail: the e-mail and the code. */
export interface SealedCode {
  email: string;
  code: string;
}

export const codePurpose = 'one-time code';

/** A new code; each digit is drawn separately, without bias. */
export const newOneTimeCode = (length: number): string => oneTimeCodeFrom(() => randomInt(10), { length });

/** The digest of an e-mail; different spellings of the same address give the same (spec 4.5). */
export const emailDigest = (box: SecretBox, email: string): string =>
  box.digest(emailKey(email), `${codePurpose} e-mail`);

/**
 * The digest of a code: under the shop's key, bound to its request, so that equal codes have different digests. A
 * slow hash would add nothing: only a reader with the key could try codes, and that reader can open the sealed mail
 * anyway.
 */
export const codeDigest = (box: SecretBox, { code, requestKey }: { code: string; requestKey: string }): string =>
  box.digest(`${requestKey} ${code}`, codePurpose);

export const sealCode = (box: SecretBox, sealed: SealedCode): string => box.seal(JSON.stringify(sealed), codePurpose);

export function openCode(box: SecretBox, text: string): SealedCode {
  const sealed: SealedCode = JSON.parse(box.open(text, codePurpose));
  return sealed;
}
