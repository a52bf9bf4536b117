import { expect, test } from 'vitest';
import { conditionLabelOf, inspectionOf } from '../../../domain/returns/inspection.ts';
import type { SettleMethod } from '../../../domain/returns/refund-method.ts';
import {
  describeResolutions,
  isRefunded,
  methodOfResolutions,
  settledStatus,
  type ResolutionMode,
} from '../../../domain/returns/resolution.ts';

const line = (rmaItemId: number, mode: ResolutionMode, refundMethod: SettleMethod | null = null) => ({
  rmaItemId,
  mode,
  refundMethod,
});

test.each([
  [null, null, true],
  ['refund', 'cash', true],
  ['store_credit', 'store_credit', true],
  ['exchange', 'exchange', true],
  ['refund', null, false],
  ['repair', null, false],
  ['dispose', null, false],
  ['repair', 'cash', false],
] as const)('a line resolved as %s by %s gives its money back: %s', (resolutionMode, refundMethod, expected) => {
  expect(isRefunded({ resolutionMode, refundMethod })).toBe(expected);
});

test.each([
  ['every line decided', [{ resolutionMode: 'repair' }, { resolutionMode: 'refund' }], 'resolved'],
  ['one line undecided', [{ resolutionMode: 'repair' }, { resolutionMode: null }], 'closed'],
  ['no decision at all', [{}], 'closed'],
  ['no lines', [], 'closed'],
] as const)('with %s a settled return ends %s', (_sentence, lines, status) => {
  expect(settledStatus(lines)).toBe(status);
});

test.each([
  ['all repaired', [line(1, 'repair'), line(2, 'dispose')], null],
  ['one refunded', [line(1, 'refund', 'cash'), line(2, 'dispose')], 'cash'],
  ['all refunded alike', [line(1, 'refund', 'terminal'), line(2, 'exchange', 'terminal')], 'terminal'],
  ['refunds without a method', [line(1, 'refund'), line(2, 'refund')], null],
] as const)('%s: the money goes back by %s', (_sentence, resolutions, method) => {
  expect(methodOfResolutions([1, 2], resolutions)).toBe(method);
});

test.each([
  ['a line without a resolution', [line(1, 'repair')], /line %1 has none/],
  ['a line of another return', [line(1, 'repair'), line(2, 'repair'), line(3, 'repair')], /has no line/],
  ['a line named twice', [line(1, 'repair'), line(1, 'repair'), line(2, 'repair')], /named twice/],
  ['two ways of refunding', [line(1, 'refund', 'cash'), line(2, 'refund', 'terminal')], /settled in one way/],
  ['money for a repair', [line(1, 'repair', 'cash'), line(2, 'repair')], /moves no money/],
] as const)('%s is refused', (_sentence, resolutions, message) => {
  expect(() => methodOfResolutions([1, 2], resolutions)).toThrow(message);
});

test('the history says what was decided for each line', () => {
  expect(
    describeResolutions([
      { sku: 'MUG', resolutionMode: 'refund', refundMethod: 'cash' },
      { sku: 'PLATE', resolutionMode: 'refund', refundMethod: null },
      { sku: 'LAMP', resolutionMode: 'dispose', refundMethod: null },
    ]),
  ).toBe('Resolved: MUG Refund by cash; PLATE Refund, no money moves; LAMP Dispose, no money moves.');
});

test.each([
  ['pristine', 'pristine', undefined],
  ['Unopened', 'pristine', 'Unopened'],
  ['Opened', 'pristine', 'Opened'],
  ['Damaged', 'damaged', 'Damaged'],
  ['damaged', 'damaged', undefined],
  [' dispose ', 'dispose', undefined],
  ['eaten', undefined, undefined],
  ['__proto__', undefined, undefined],
])('goods that are %j count as %s, shown as %s', (condition, inspection, label) => {
  expect(inspectionOf(condition)).toBe(inspection);
  expect(conditionLabelOf(condition)).toBe(label);
});
