import { expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import { columnsOfMoney, countMoney, moneyOf, twin, twins } from '../../../domain/money/twins.ts';

const figures = { ...twins('taxAmount'), rows: { order: 'rowTotal', base: 'baseRowSum' } } as const;
const row = () => ({
  taxAmount: money('2'),
  baseTaxAmount: money('1'),
  rowTotal: money('20'),
  baseRowSum: null,
});

test('a row tells its figures in one currency, and a column that is null is nothing', () => {
  expect(moneyOf(row(), figures, 'order')).toEqual({ taxAmount: money('2'), rows: money('20') });
  expect(moneyOf(row(), figures, 'base')).toEqual({ taxAmount: money('1'), rows: money('0') });
});

test('figures in both currencies become the columns they came from', () => {
  const both = {
    order: { taxAmount: money('2'), rows: money('20') },
    base: { taxAmount: money('1'), rows: money('9') },
  };
  expect(columnsOfMoney(figures, both)).toEqual({ ...row(), baseRowSum: money('9') });
});

test('what is counted into registers and out of them again leaves them as they were', () => {
  const order = { totalPaid: money('5'), baseTotalPaid: money('4') };
  const paid = { order: { total: money('1.10') }, base: { total: money('0.90') } };
  countMoney(order, { total: twin('totalPaid') }, paid);
  expect(order).toEqual({ totalPaid: money('6.10'), baseTotalPaid: money('4.90') });
  countMoney(order, { total: twin('totalPaid') }, paid, 'out');
  expect(order).toEqual({ totalPaid: money('5'), baseTotalPaid: money('4') });
});
