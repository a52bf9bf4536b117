import type { SecretBox } from '../support/secret-box.ts';

/** What must not be read on the pages of Temporal: a card's code is as good as money, and people wrote the reason. */
export interface CreditWords {
  code: string | null;
  reason: string;
}

const purpose = 'refund to credit';

export const sealCreditWords = (box: SecretBox, words: CreditWords): string => box.seal(JSON.stringify(words), purpose);

/** Throws where another secret key sealed it: a fault of the set-up. */
export function openCreditWords(box: SecretBox, sealed: string): CreditWords {
  const words: CreditWords = JSON.parse(box.open(sealed, purpose));
  return words;
}
