import { describe, expect, test } from '@jest/globals';
import { cardDataIn } from '../../../domain/receipts/card-data.ts';
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
    expect(cardDataIn(text)).toMatch(/card/);
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

describe('a receipt', () => {
  const fine = { posOrderId: 'sale-1', receiptToken: undefined, texts: {} };

  test.each([
    ['with a sale id', fine, undefined],
    ['with a token in capitals', { ...fine, receiptToken: 'A'.repeat(64) }, undefined],
    ['without a sale id', { ...fine, posOrderId: undefined }, /no sale id/],
    ['with a sale id of 65 characters', { ...fine, posOrderId: 's'.repeat(65) }, /longer than 64/],
    ['with a short token', { ...fine, receiptToken: 'ab12' }, /64 hexadecimal/],
    ['with a token of other letters', { ...fine, receiptToken: 'g'.repeat(64) }, /64 hexadecimal/],
    ['with a card number', { ...fine, texts: { terminal_info: '4111111111111111' } }, /card number in terminal_info/],
  ])('%s', (_case, given, fault) => {
    const found = receiptFault(given);
    if (fault) expect(found).toMatch(fault);
    else expect(found).toBeUndefined();
  });
});
