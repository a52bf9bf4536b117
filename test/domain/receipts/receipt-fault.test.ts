import { describe, expect, test } from 'vitest';
import { cardDataIn } from '../../../domain/card-data.ts';
import { fitsCheckDigit } from '../../../domain/receipts/card-numbers.ts';
import { receiptFault } from '../../../domain/receipts/receipt-fault.ts';

describe('card data that must not be stored', () => {
  test.each([
    ['a Visa number', '{"card":"4111111111111111"}'],
    ['a grouped number', 'paid with 4111 1111 1111 1111 today'],
    ['a number with dashes', '5500-0000-0000-0004'],
    ['an American Express number', '"378282246310005"'],
    ['a number inside JSON inside JSON', JSON.stringify({ raw: JSON.stringify({ pan: '6011111111111117' }) })],
    ['a Mastercard of the second range', '2223003122003222'],
    ['track 1', '%B4111111111111111^DOE/JOHN^25121010000000000?'],
    ['track 2', ';4111111111111111=25121010000012300000?'],
    ['a security code', '{"cvv":"123"}'],
    ['a security code in a text in JSON', JSON.stringify({ raw: '{"cvc2": 123}' })],
    ['a PIN block', '{"pinBlock":"0412AC89ABCDEF67"}'],
  ])('%s is found', (_case, text) => {
    expect(cardDataIn(text)?.what).toMatch(/card/);
  });

  test.each([
    ['a masked number', '411111******1111'],
    ['the last four', '{"last4":"1111","cvv_present":true}'],
    ['16 digits that fail the check', '4111111111111112'],
    ['16 digits nobody issues', '9999999999999995'],
    ['a moment in milliseconds', '{"at":1763719200000}'],
    ['an article number', '4006381333931'],
    ['a UUID with digits', '41111111-1111-4111-8111-111111111111'],
    ['a piece of a longer number', '004111111111111111'],
    ['a fraction', '0.4111111111111111'],
    ['a hexadecimal token', 'a4111111111111111f'],
    ['a security code that was checked', '{"cvv_result":"M"}'],
  ])('%s passes', (_case, text) => {
    expect(cardDataIn(text)).toBeUndefined();
  });
});

describe('a number that is something else’s', () => {
  const visa = '4111111111111111';

  test.each([
    ['a sku', { items: [{ sku: visa }] }],
    ['a barcode', { item: { barcode: visa } }],
    ['a gift card’s code', [{ type: 'gift_card', code: visa }]],
    ['a gift card’s number and PIN', { giftCard: { number: visa, pin: '1234' } }],
    ['the name of a gift card that was sold', { lines: [{ name: `Gift card ${visa}` }] }],
    ['a payment’s id', { paymentId: visa }],
    ['a list of codes', { codes: [visa] }],
    ['a tracking number', { tracks: [{ track_number: visa }] }],
    ['JSON in JSON', { raw: JSON.stringify({ sku: visa }) }],
    ['a digest of capitals', { signature: `4111111111111111D2599${'F'.repeat(20)}` }],
  ])('%s passes', (_case, value) => {
    expect(cardDataIn(JSON.stringify(value))).toBeUndefined();
  });

  test.each([
    ['a note', { note: `paid with ${visa}` }, 'note'],
    ['a number on a new line', { note: `paid with\n${visa}` }, 'note'],
    ['a number of no kind', { payment: { number: visa } }, 'payment.number'],
    ['a number that is no text', { payment: { pan: Number(visa) } }, 'payment.pan'],
    ['JSON in JSON', { raw: JSON.stringify({ card: { number: visa } }) }, 'raw.card.number'],
    ['a key', { [visa]: true }, ''],
    ['a customer’s name', { customer: { name: visa } }, 'customer.name'],
    ['a track where a code belongs', { code: `;${visa}=25121010000012300000?` }, 'code'],
    ['a security code beside a gift card', { giftCard: {}, cvv: '123' }, 'cvv'],
    ['a list of lists', [[{ memo: [visa] }]], 'memo'],
  ])('in %s it is refused, and the field is named', (_case, value, at) => {
    expect(cardDataIn(JSON.stringify(value))).toMatchObject({ at });
  });

  test('is named from the field it came in, without the number itself', () => {
    expect(cardDataIn(visa, 'customer_name')?.at).toBe('customer_name');
    expect(cardDataIn(JSON.stringify({ [visa]: { x: visa } }), 'terminal_info')?.at).toBe('terminal_info');
    expect(cardDataIn(visa, 'items.sku')).toBeUndefined();
    expect(cardDataIn(visa, 'receipt_number')).toBeUndefined();
  });

  test('10 000 EANs, UPCs and gift cards’ numbers, all with a fitting check digit, cost no sale its receipt', () => {
    const random = numbersFrom(20_261_123);
    for (let at = 0; at < 10_000; at++) {
      const digits = withCheckDigit(Array.from({ length: [11, 12, 13, 14, 15][at % 5]! }, () => random(10)).join(''));
      const gift = withCheckDigit(
        `${['4', '51', '2221', '34', '6011'][at % 5]}${'0'.repeat(14)}`.slice(0, 8) + pad(random(9_999_999)),
      );
      for (const number of [digits, gift])
        expect([
          cardDataIn(number, 'items.sku'),
          cardDataIn(`Gift card ${number}`, 'items.name'),
          cardDataIn(JSON.stringify([{ code: number }, { type: 'gift_card', number }]), 'applied_credits'),
          cardDataIn(JSON.stringify({ items: [{ sku: number, barcode: number }] }), 'raw_payload'),
        ]).toEqual([undefined, undefined, undefined, undefined]);
    }
  });

  test('a text of a million brackets or backslashes is read in a moment', () => {
    const startedAt = performance.now();
    for (const text of ['['.repeat(1e6), '\\'.repeat(1e6), `${'{"a":'.repeat(2e5)}"${visa}"${'}'.repeat(2e5)}`])
      cardDataIn(text);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

/** A row of chances that is the same each time (mulberry32). */
const numbersFrom = (seed: number) => (below: number) => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
};
const pad = (number: number) => String(number).padStart(7, '0');
const withCheckDigit = (digits: string) =>
  '0123456789'
    .split('')
    .map((last) => digits + last)
    .find(fitsCheckDigit)!;

describe('a receipt', () => {
  const fine = { posOrderId: 'sale-1', receiptToken: undefined, texts: [] };

  test.each([
    ['with a sale id', fine, undefined],
    ['with a token in capitals', { ...fine, receiptToken: 'A'.repeat(64) }, undefined],
    ['without a sale id', { ...fine, posOrderId: undefined }, /no sale id/],
    ['with a sale id of 65 characters', { ...fine, posOrderId: 's'.repeat(65) }, /longer than 64/],
    ['with a short token', { ...fine, receiptToken: 'ab12' }, /64 hexadecimal/],
    ['with a token of other letters', { ...fine, receiptToken: 'g'.repeat(64) }, /64 hexadecimal/],
    [
      'with a card number',
      { ...fine, texts: [['terminal_info', '4111111111111111']] as const },
      /card number in terminal_info/,
    ],
  ])('%s', (_case, given, fault) => {
    const found = receiptFault(given);
    if (fault) expect(found).toMatch(fault);
    else expect(found).toBeUndefined();
  });
});
