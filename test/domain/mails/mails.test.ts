import { describe, expect, test } from '@jest/globals';
import {
  accountConfirmationLetter,
  newsletterLetter,
  oneTimeCodeLetter,
  passwordResetLetter,
  documentLetter,
} from '../../../domain/mails/letter-pen.ts';
import { mailedDocuments, mailsCustomer } from '../../../domain/mails/letters.ts';
import { refundLetter, uncertainRefundLetter } from '../../../domain/mails/uncertain-refund-letter.ts';
import { money, zero, pieces } from '../../../domain/money.ts';
import { settleMethods } from '../../../domain/returns/resolution.ts';

describe('letters in languages', () => {
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

  test('a letter about a document is short enough for every mail program, with its total', () => {
    const options = Array.from({ length: 40 }, (_, at) => ({ label: `Engraving ${at}`, value: '花'.repeat(200) }));
    const { text } = documentLetter({
      ...{ document: 'order', locale: 'en_US', shopName, orderIncrementId: '000000042', incrementId: '000000042' },
      ...{ currencyCode: 'EUR', total: money('1234.50'), parcels: [], remark: '花'.repeat(60_000) },
      lines: Array.from({ length: 30 }, (_, at) => ({
        name: `Cup ${at}`,
        qty: pieces(1),
        options: at < 2 ? [] : options,
      })),
    });
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    expect(text).toContain('Total: 1234.50 EUR');
    expect(text).toContain('- 1 × Cup 2\n');
    expect(text).toContain('- and 27 more');
    expect(text.endsWith(`\n${shopName}\n`)).toBe(true);
  });

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
});

describe('refund letter', () => {
  const aRefund = {
    locale: 'en_US',
    shopName: 'Paper Lantern',
    orderIncrementId: '000000042',
    memoIncrementId: '000000007',
    method: 'original_payment',
    currencyCode: 'USD',
    total: money('54'),
    legs: [],
  } as const;

  test('a refund to the card says so', () => {
    expect(refundLetter(aRefund)).toMatchInlineSnapshot(`
{
  "subject": "Your refund for order 000000042",
  "text": "Hello,

we have refunded 54.00 USD for your order 000000042:

- 54.00 USD to the card you paid with; your bank may take some days to show it

The number of your credit memo is 000000007.

Paper Lantern
",
}
`);
  });

  test('what came back to credits is told leg by leg, and only the rest as money', () => {
    const { text } = refundLetter({
      ...aRefund,
      method: 'terminal',
      legs: [
        { kind: 'store_credit', amount: money('10'), points: null },
        { kind: 'gift_card', amount: money('4.5'), points: null },
        { kind: 'reward_points', amount: money('2'), points: 200 },
        { kind: 'reward_points', amount: zero, points: 1 },
      ],
    });
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- 37.50 USD to your card, at the terminal in the shop',
      '- 10.00 USD back to your store credit',
      '- 4.50 USD back to your gift card',
      '- 2.00 USD (200 points) back to your reward points',
      '- 1 point back to your reward points',
    ]);
  });

  test('a refund that was all credit names no money', () => {
    const { text } = refundLetter({
      ...aRefund,
      currencyCode: 'JPY',
      legs: [{ kind: 'gift_card', amount: money('54'), points: null }],
    });
    expect(text).toContain('\n- 54 JPY back to your gift card\n\n');
  });

  test.each(settleMethods.map((method) => [method, ['original_payment', 'store_credit', 'terminal'].includes(method)]))(
    '%s is told by mail: %s',
    (method, isMailed) => {
      expect(mailsCustomer(method as (typeof settleMethods)[number], { notifyCustomer: true })).toBe(isMailed);
      expect(mailsCustomer(method as (typeof settleMethods)[number], { notifyCustomer: false })).toBe(false);
    },
  );
});

describe('uncertain refund letter', () => {
  const aQuestion = {
    attemptId: 7,
    reference: 'refund-attempt-7',
    orderIncrementId: '000000042',
    returnId: 3,
    paymentMethod: 'vendor_provider_a',
    amount: money('12.73'),
    currencyCode: 'USD',
    since: '2026-11-21T10:00:00Z',
    hours: 5,
    shop: 'High Street',
    lastWord: 'The gateway did not answer in time.',
    canLookUp: true,
    pageUrl: 'http://temporal.example/refund-attempt-7',
    opsUrl: 'https://shop.example/ops',
  };

  test('an operator reads what is known, what to check, and the exact ways on', () => {
    expect(uncertainRefundLetter(aQuestion)).toMatchInlineSnapshot(`
{
  "subject": "A refund of 12.73 USD is uncertain (order 000000042)",
  "text": "Since 2026-11-21T10:00:00Z it is not known whether the customer got 12.73 USD back.

Settle it: https://shop.example/ops

Shop:      High Street
Order:     000000042
Return:    3
Amount:    12.73 USD
Method:    vendor_provider_a
Answer:    The gateway did not answer in time.
Waits for: 5 h

Until this is known, nothing else is refunded there.

What to check: look for the reference refund-attempt-7 in the gateway's portal.

Then say what you saw, on that page or here:

  npm run --silent pos -- refunds resolve 7 refunded --staff "NAME" --note "TEXT"
  npm run --silent pos -- refunds resolve 7 not_refunded --staff "NAME" --note "TEXT"

Or ask the gateway again:

  npm run --silent pos -- refunds reconcile 7

Its page: http://temporal.example/refund-attempt-7

This mail comes at once, after four hours and after a day, until the question is answered.
",
}
`);
  });

  test('where the gateway cannot be asked, the letter does not say to ask it', () => {
    const { text } = uncertainRefundLetter({ ...aQuestion, canLookUp: false, returnId: null, pageUrl: null });
    expect(text).not.toMatch(/reconcile|Return:|Its page/);
    expect(text).toContain('This gateway cannot be asked: a person must find out.');
  });
});
