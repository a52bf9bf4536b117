import { expect, test } from 'vitest';
import { groupCodeOf, isFixedInSets } from '../../../../domain/platform/catalog/attribute-sets.ts';

test.each([
  ['Product Details', 'product-details'],
  ['Größe & Co.', 'grosse-co'],
  ['颜', '989c'],
])('a group called %s has the code %s', (name, code) => {
  expect(groupCodeOf(name)).toBe(code);
});

test('what the platform made as a shop would may leave a set', () => {
  expect(['cost', 'color', 'manufacturer', 'price'].map(isFixedInSets)).toEqual([false, false, false, true]);
});
