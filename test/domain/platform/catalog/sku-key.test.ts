import { expect, test } from 'vitest';
import { skuKey } from '../../../../domain/platform/catalog/sku-key.ts';

test.each([
  ['MUG', 'mug'],
  ['CAF\u00C9', 'cafe\u0301'],
  ['\u03A3\u0391\u03A3', '\u03C3\u03B1\u03C3'],
  ['\u0130-1', 'i-1'],
])('%s and %s are one SKU', (one, other) => {
  expect(skuKey(one)).toBe(skuKey(other));
});

test.each([
  ['MUG', 'MUG '],
  ['cafe', 'caf\u00E9'],
  ['stra\u00DFe', 'strasse'],
])('%j and %j are two', (one, other) => {
  expect(skuKey(one)).not.toBe(skuKey(other));
});
