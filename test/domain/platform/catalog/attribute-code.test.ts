import { expect, test } from 'vitest';
import { codeOf, isAttributeCode } from '../../../../domain/platform/catalog/attribute-code.ts';

test.each([
  ['Fabric', 'fabric'],
  ['Shoe size (EU)', 'shoe_size_eu'],
  ['Größe', 'grosse'],
  ['9 lives', 'attr_9_lives'],
  ['A', 'attr_a'],
  ['颜色', 'attr_989c8272'],
  [' ', 'attr_20'],
])('a label %j gives the code %s', (label, code) => {
  expect(codeOf(label)).toBe(code);
});

test('whatever the label is, its code is permitted', () => {
  for (const label of ['x'.repeat(255), '颜'.repeat(255), '__', '-1', ''])
    expect(isAttributeCode(codeOf(label))).toBe(true);
});
