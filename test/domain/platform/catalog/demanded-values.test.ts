import { expect, test } from 'vitest';
import {
  missingValue,
  standardValues,
  type AttributeDemand,
} from '../../../../domain/platform/catalog/demanded-values.ts';

const demand = (more: Partial<AttributeDemand> = {}): AttributeDemand => ({
  ...{ attributeId: 1, code: 'size', label: 'Size', isRequired: true, isUnique: false, isInSet: true },
  ...{ standard: '', appliesTo: [], ...more },
});
const missing = (one: AttributeDemand, values: object, chosen: string[] = []) =>
  missingValue([one], { values: { ...values }, typeId: 'simple', chosen: new Set(chosen) })?.code;

test.each([
  ['nothing said', {}, 'size'],
  ['an empty text', { size: '' }, 'size'],
  ['an empty list', { size: [] }, 'size'],
  ['zero', { size: 0 }, undefined],
  ['a text', { size: 'S' }, undefined],
])('%s is a value or none', (_, values, code) => {
  expect(missing(demand(), values)).toBe(code);
});

test('what need not be, has a default, is of another type or is chosen by customers is not missing', () => {
  expect(missing(demand({ isRequired: false }), {})).toBeUndefined();
  expect(missing(demand({ standard: 'M' }), { size: '' })).toBeUndefined();
  expect(missing(demand({ appliesTo: ['virtual'] }), {})).toBeUndefined();
  expect(missing(demand(), {}, ['size'])).toBeUndefined();
});

test('a default fills in where nothing is said, in sets that have the attribute', () => {
  const standard = (one: AttributeDemand, given: object) => standardValues([one], { ...given }, 'simple');
  expect(standard(demand({ standard: 'M' }), { size: null })).toEqual({ size: 'M' });
  expect(standard(demand({ standard: 'M' }), { size: '' })).toEqual({});
  expect(standard(demand({ standard: 'M', isInSet: false }), {})).toEqual({});
  expect(standard(demand(), {})).toEqual({});
});
