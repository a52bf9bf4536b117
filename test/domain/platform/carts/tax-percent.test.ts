import { expect, test } from '@jest/globals';
import { taxRateOf } from '../../../../domain/platform/carts/tax-percent.ts';

const rate = (code: string, taxClassId: number, countryId: string, regionId: number) => ({
  code,
  taxClassId,
  countryId,
  regionId,
  percent: 1,
});
const rates = [rate('US', 2, 'US', 0), rate('NY', 2, 'US', 43), rate('books', 4, 'US', 0), rate('DE', 2, 'DE', 0)];

test.each([
  [2, 'US', 43, 'NY'],
  [2, 'US', 12, 'US'],
  [2, 'US', null, 'US'],
  [4, 'US', 43, 'books'],
  [2, 'DE', 80, 'DE'],
  [2, 'FR', null, undefined],
  [0, 'US', 43, undefined],
  [2, '', null, undefined],
])('class %i in %s, region %s: %s', (taxClassId, countryId, regionId, code) => {
  expect(taxRateOf(rates, taxClassId, { countryId, regionId })?.code).toBe(code);
});
