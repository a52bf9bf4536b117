import { describe, expect, test } from 'vitest';
import {
  accountConfirmationLetter,
  newsletterLetter,
  oneTimeCodeLetter,
  passwordResetLetter,
} from '../../../domain/mails/account-letters.ts';
import { documentLetter } from '../../../domain/mails/document-letter.ts';
import { mailedDocuments } from '../../../domain/mails/mail-life.ts';
import { refundLetter } from '../../../domain/mails/refund-letter.ts';
import { money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { settleMethods } from '../../../domain/returns/refund-method.ts';

const shopName = 'Lampion';
const link = 'https://shop.example/x/y';

/** Every letter to a customer there is. */
const lettersIn = (locale: string) => [
  passwordResetLetter({ locale, shopName, link, hours: 2 }),
  accountConfirmationLetter({ locale, shopName, link }),
  newsletterLetter({ locale, shopName, link, days: 7 }),
  oneTimeCodeLetter({ locale, shopName, code: '135790', ttlSeconds: 180 }),
  oneTimeCodeLetter({ locale, shopName, code: '135790', ttlSeconds: 90 }),
  ...mailedDocuments.map((document) =>
    documentLetter({
      ...{ document, locale, shopName, orderIncrementId: '000000042', incrementId: '000000007', currencyCode: 'EUR' },
      total: money('1234.50'),
      lines: Array.from({ length: 51 }, () => ({
        name: 'Tasse',
        qty: pieces(2),
        options: [{ label: 'Farbe', value: 'Rot' }],
      })),
      parcels: [{ title: 'Post', number: 'Z9' }],
      remark: null,
    }),
  ),
  ...settleMethods.map((method) =>
    refundLetter({
      ...{ method, locale, shopName, orderIncrementId: '000000042', memoIncrementId: '000000007' },
      currencyCode: 'EUR',
      total: money('54'),
      legs: [
        { kind: 'store_credit', amount: money('10'), points: null },
        { kind: 'gift_card', amount: money('4.5'), points: null },
        { kind: 'reward_points', amount: money('2'), points: 200 },
        { kind: 'reward_points', amount: money('0'), points: 1 },
      ],
    }),
  ),
];

/** Words of a text that stand in the English letters too, without those that are data. */
function englishIn(locale: string): string[] {
  const wordsIn = (text: string) => text.match(/[\p{L}]{3,}/gu) ?? [];
  const data = new Set(wordsIn(`${shopName} ${link} Tasse Farbe Rot Post EUR Code`));
  const english = new Set(lettersIn('en_US').flatMap(({ subject, text }) => wordsIn(`${subject}\n${text}`)));
  const own = lettersIn(locale).flatMap(({ subject, text }) => wordsIn(`${subject}\n${text}`));
  return own.filter((word) => english.has(word) && !data.has(word) && !/^(?:an|in|die|am)$/i.test(word));
}

describe.each(['de_DE', 'de_AT', 'ar_SA'])('in %s', (locale) => {
  test('no word of a letter is English', () => {
    expect(englishIn(locale)).toEqual([]);
    expect(englishIn('fr_FR')).not.toEqual([]);
  });

  test('a letter holds what its English one holds: links, codes, numbers', () => {
    const english = lettersIn('en_US');
    for (const [at, letter] of lettersIn(locale).entries()) {
      const facts = /https:\S+|000000042|000000007|135790|Z9/g;
      const factsOf = ({ subject, text }: { subject: string; text: string }) =>
        [...new Set(`${subject} ${text}`.match(facts))].toSorted();
      expect(factsOf(letter)).toEqual(factsOf(english[at]!));
      expect(letter.text.endsWith(`\n${shopName}\n`)).toBe(true);
    }
  });
});

test('a German refund names its sums as Germans write them', () => {
  const { subject, text } = refundLetter({
    ...{ locale: 'de_DE', shopName, orderIncrementId: '000000042', memoIncrementId: '000000007' },
    ...{ method: 'original_payment', currencyCode: 'EUR', total: money('1234.5'), legs: [] },
  });
  expect(subject).toBe('Ihre Erstattung zur Bestellung 000000042');
  expect(text.replaceAll('\u00A0', ' ')).toBe(
    'Guten Tag,\n\nwir haben Ihnen 1.234,50 € zu Ihrer Bestellung 000000042 erstattet:\n\n' +
      '- 1.234,50 € auf die Karte, mit der Sie bezahlt haben; bei Ihrer Bank kann das einige Tage dauern\n\n' +
      'Die Nummer Ihrer Gutschrift ist 000000007.\n\nLampion\n',
  );
});

test('an Arabic letter isolates names and numbers of another direction', () => {
  const { subject } = oneTimeCodeLetter({ locale: 'ar_AE', shopName, code: '1', ttlSeconds: 180 });
  expect(subject).toBe('رمز تسجيل الدخول لدى \u2068Lampion\u2069');
});
