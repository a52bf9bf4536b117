import { expect, test } from 'vitest';
import { shopSettings } from '../../../domain/configuration/shop-settings.ts';
import { methodOfProcess, optionOfProcess, whoRan } from '../../../domain/returns/collapsed-return.ts';
import { builtInOptions } from '../../../domain/returns/return-options.ts';
import { returnRules } from '../../../domain/returns/return-rules.ts';
import { noRules } from '../../support/builders/return-rules.ts';

test.each([
  ['refund', true, 'original_payment'],
  ['refund', false, 'cash'],
  ['store_credit', true, 'store_credit'],
  ['store_credit', false, 'store_credit'],
  ['exchange', true, 'exchange'],
  ['exchange', false, 'exchange'],
] as const)('%s, online %s: the money goes back by %s', (resolution, isOnline, method) => {
  expect(methodOfProcess({ resolution, isOnline })).toBe(method);
});

test.each([
  ['refund', 'Refund'],
  ['store_credit', 'Store Credit'],
  ['exchange', 'Exchange'],
] as const)('%s is the provider’s option "%s"', (resolution, label) => {
  const { resolutions } = builtInOptions('');
  expect(optionOfProcess(resolution, resolutions)?.label).toBe(label);
  expect(optionOfProcess(resolution, [])).toBeUndefined();
});

test.each([
  ['builtin', 'taken', 'the returns provider "builtin"'],
  ['warehouse', 'asking', 'the returns provider "warehouse"'],
  ['warehouse', 'passed', 'the core refund'],
  [null, 'asking', 'the core refund'],
] as const)('a run of %s, %s, is laid to %s', (providerCode, stage, who) => {
  expect(whoRan(providerCode, stage)).toBe(who);
});

const rulesOf = (values: Record<string, string>) =>
  returnRules(
    shopSettings(
      new Map(Object.entries(values).map(([name, value]) => [`vendor_pos_advanced/returns/${name}`, value])),
    ),
  );

test('a shop that set nothing has no rules but the quantity', () => {
  expect(rulesOf({})).toEqual(noRules);
});

test('rules are read as they were meant', () => {
  expect(
    rulesOf({
      period_days: '30',
      resolutions: 'Refund, Exchange',
      resolution_periods: 'Refund:14, Exchange:60,Store Credit:often',
      final_sale_percent: '49.5',
    }),
  ).toEqual({
    periodDays: 30,
    resolutionIds: ['Refund', 'Exchange'],
    resolutionPeriods: [
      { resolutionId: 'Refund', periodDays: 14 },
      { resolutionId: 'Exchange', periodDays: 60 },
      { resolutionId: 'Store Credit', periodDays: 0 },
    ],
    finalSalePercent: 49.5,
  });
  expect(rulesOf({ period_days: '-3', final_sale_percent: 'half' })).toEqual(noRules);
});
