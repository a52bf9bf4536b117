import { expect, test } from 'vitest';
import { postcodesOf, taxOf, zipNumberOf, type TaxPlaceRate } from '../../../../domain/platform/carts/tax-percent.ts';

const rate = (code: string, percent: number, more: Partial<TaxPlaceRate> = {}): TaxPlaceRate => ({
  ...{ ruleId: 1, priority: 0, calculateSubtotal: false, productTaxClassIds: [2], regionId: 0, postcode: '*' },
  ...{ code, percent: percent * 10_000 },
  ...more,
});
const codes = (rates: readonly TaxPlaceRate[], taxClassId = 2) =>
  taxOf(rates, taxClassId)?.rates.map(({ code }) => code);

const country = rate('US', 5);
const state = rate('NY', 8, { regionId: 43 });
const city = rate('Troy', 9, { regionId: 43, postcode: '12180' });
const district = rate('121*', 8.5, { regionId: 43, postcode: '121*' });

test.each([
  ['the country alone', [country], ['US']],
  ['a region before its country', [country, state], ['NY']],
  ['a postcode before its region', [state, city, country], ['Troy']],
  ['a postcode before its beginning', [district, city, state], ['Troy']],
  ['the beginning of a postcode before the region', [state, district], ['121*']],
  ['the higher of two that are alike', [state, rate('NY high', 10, { regionId: 43 })], ['NY high']],
])('of one rule holds %s', (_case, rates, held) => {
  expect(codes(rates)).toEqual(held);
});

test('a rule for other goods does not hold', () => {
  expect(codes([country], 5)).toBeUndefined();
  expect(codes([country], 0)).toBeUndefined();
});

test.each([
  ['rules of one priority are added', [rate('A', 5), rate('B', 3, { ruleId: 2 })], 8],
  ['the next priority is of the price with tax', [rate('A', 10), rate('B', 10, { ruleId: 2, priority: 1 })], 21],
  ['or of the price alone', [rate('A', 10), rate('B', 10, { ruleId: 2, priority: 1, calculateSubtotal: true })], 20],
  ['the order of the rows counts for nothing', [rate('B', 10, { ruleId: 2, priority: 1 }), rate('A', 10)], 21],
])('%s', (_case, rates, percent) => {
  expect(taxOf(rates, 2)?.percent).toBe(percent * 10_000);
});

test('a rate may name a postcode, its beginnings, or all', () => {
  expect(postcodesOf('121')).toEqual(['121', '1*', '12*', '121*', '*']);
  expect(postcodesOf(null)).toEqual(['*']);
});

test.each([
  ['12180', 12_180],
  ['12180-1234', 12_180],
  [' 01234 ', 1_234],
  ['K1A 0B6', null],
  ['', null],
  [null, null],
])('a range looks at %s as the number %s', (postcode, number) => {
  expect(zipNumberOf(postcode)).toBe(number);
});
