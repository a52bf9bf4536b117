import { expect, test } from '@jest/globals';
import { shopSettings } from '../../../domain/configuration/setting-defaults.ts';
import { money, zero } from '../../../domain/money.ts';
import {
  pointsOfOrder,
  voidedPoints,
  leastPoints,
  pointsRules,
  pointsWithin,
  worthOf,
  type EarningOrder,
} from '../../../domain/reward-points.ts';

const rules = (set: Record<string, string> = {}) =>
  pointsRules(
    shopSettings(new Map(Object.entries(set).map(([path, value]) => [`vendor_reward_points/${path}`, value]))),
  );
const order = (wanted: Partial<EarningOrder> = {}): EarningOrder => ({
  state: 'complete',
  hasCustomer: true,
  grandTotal: money('118'),
  subtotal: money('110'),
  discountAmount: money('-10.01'),
  totalPaid: money('118'),
  totalRefunded: zero,
  paidWithPoints: zero,
  ...wanted,
});

test.each([
  ['goods after discount', {}, {}, 99],
  ['two points for a dollar', { 'earning/points_per_currency_unit': '2' }, {}, 199],
  ['one point for ten dollars', { 'earning/points_per_currency_unit': '0.1' }, {}, 9],
  ['whole steps', { 'spending/granularity': '50' }, {}, 50],
  ['what is no rate', { 'earning/points_per_currency_unit': 'many' }, {}, 0],
  ['a rate below zero', { 'earning/points_per_currency_unit': '-1' }, {}, 0],
  ['what points paid for', {}, { paidWithPoints: money('50') }, 49],
  ['everything paid with points', {}, { paidWithPoints: money('118') }, 0],
  ['not paid in full', {}, { totalPaid: money('117.99') }, 0],
  ['a guest', {}, { hasCustomer: false }, 0],
  ['a cancelled order', {}, { state: 'canceled' }, 0],
  ['a discount posted without a sign', {}, { discountAmount: money('10.01') }, 99],
])('an order earns by %s', (_case, set, wanted, points) => {
  expect(pointsOfOrder(order(wanted), rules(set))).toBe(points);
});

test.each([
  [0, 0],
  [1, 0],
  [59, 50],
  [117.99, 99],
  [118, 100],
])('of 100 points, %d refunded of 118 void %i', (refunded, voided) => {
  const figures = { totalPaid: money('118'), totalRefunded: money(String(refunded)), goods: zero, goodsReturned: zero };
  expect(voidedPoints(100, figures, 1)).toBe(voided);
});

test.each([
  ['half of the goods with a fee that leaves 10 of 59', '10', '50', 50],
  ['half of the goods with goodwill of 30', '89', '50', 50],
  ['all goods with a fee that leaves nothing', '0', '100', 100],
  ['goodwill without goods', '30', '0', 0],
  ['all of the money without goods', '118', '0', 100],
])('points go by goods: %s', (_what, refunded, goods, voided) => {
  const returned = { totalRefunded: money(refunded), goodsReturned: money(goods) };
  expect(voidedPoints(100, { totalPaid: money('118'), goods: money('100'), ...returned }, 1)).toBe(voided);
});

test('points are worth what is set, and as many as fit are taken', () => {
  const terms = rules({
    'spending/currency_per_point': '0.05',
    'spending/granularity': '20',
    'spending/minimum_points': '50',
  });
  expect(worthOf(100, terms)).toBe(money('5'));
  expect(pointsWithin(money('4.99'), terms)).toBe(80);
  expect(leastPoints(terms)).toBe(60);
});
