import { expect, test } from 'vitest';
import { skuOfLine, stockSkuOf } from '../../../domain/platform/sku-of-line.ts';

test.each([
  ['a line has its own SKU', { sku: 'MUG' }, [], 'MUG', 'MUG'],
  ['an engraved one too, and the goods theirs', { sku: 'MUG-ENGR', stockSku: 'MUG' }, [], 'MUG-ENGR', 'MUG'],
  ['a shirt has that of its part', { sku: 'SHIRT', productType: 'configurable' }, ['RED-M'], 'RED-M', 'RED-M'],
  [
    'a printed shirt keeps that of its print',
    { sku: 'RED-M-PRINT', productType: 'configurable', stockSku: 'RED-M' },
    ['RED-M'],
    'RED-M-PRINT',
    'RED-M',
  ],
  ['a bundle keeps its own', { sku: 'SET', productType: 'bundle' }, ['MUG'], 'SET', 'SET'],
])('%s', (_what, line, parts, shown, stocked) => {
  const sku = skuOfLine(
    line,
    parts.map((one) => ({ sku: one })),
  );
  expect([sku, stockSkuOf({ ...line, sku })]).toEqual([shown, stocked]);
});
