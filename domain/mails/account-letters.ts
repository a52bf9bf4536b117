import type { Letter } from './letter.ts';
import { letterPenOf, type LetterPen } from './letter-pen.ts';
import type { LetterWords } from './letter-words.ts';

interface AccountToWrite {
  /** Of the customer's store view. */
  locale: string;
  shopName: string;
  link: string;
}

/** The mail with the link to a new password. It names no person. */
export const passwordResetLetter = ({ hours, ...to }: AccountToWrite & { hours: number }): Letter =>
  around(to, (words, shop) => words.newPassword({ shop, hours }));

/** The mail with the link that confirms the e-mail of a new account. */
export const accountConfirmationLetter = (to: AccountToWrite): Letter =>
  around(to, (words, shop) => words.confirmAccount({ shop }));

/** The mail that asks a subscriber to confirm, with the one link that does so. */
export const newsletterLetter = ({ days, ...to }: AccountToWrite & { days: number }): Letter =>
  around(to, (words, shop) => words.confirmNewsletter({ shop, days }));

export interface CodeToWrite extends Omit<AccountToWrite, 'link'> {
  code: string;
  /** Lifetime, from the request on. */
  ttlSeconds: number;
}

/**
 * The mail for a customer at a kiosk: the code, and what to do if the customer did not ask for it. It names no
 * person.
 */
export const oneTimeCodeLetter = ({ code, ttlSeconds, ...to }: CodeToWrite): Letter =>
  around({ ...to, link: `    ${code}` }, (words, shop) => words.oneTimeCode({ shop, seconds: ttlSeconds }));

type Around = ReturnType<LetterWords['confirmAccount']>;

function around(
  { locale, shopName, link }: AccountToWrite,
  sayIn: (words: LetterWords, shop: string) => Around,
): Letter {
  const { words, value }: LetterPen = letterPenOf(locale);
  const { subject, before, after } = sayIn(words, value(shopName));
  return {
    subject,
    text: [words.greeting, '', before, '', link, '', ...after, '', shopName, ''].join('\n'),
  };
}
