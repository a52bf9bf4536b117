import { expect, test } from '@jest/globals';
import { sourcesOf } from './sources.ts';

/**
 * Every figure stands in two columns; a file that names the columns of many works them out twice. See
 * `domain/money.ts`.
 */
const most = 10;

/** Names that have no twin in the order's currency. */
const single = new Set([
  ...['baseCurrency', 'baseCurrencyCode', 'baseToOrderRate', 'baseToGlobalRate'],
  ...['basePendingRefund', 'baseCost', 'baseTotalInvoicedCost', 'baseNameOf', 'basePrefixed'],
]);

const product = ['domain', 'db', 'books', 'providers', 'activities', 'workflows', 'worker', 'api', 'cli', 'local'];

const twinsIn = (text: string) => {
  const names = new Set(text.match(/\bbase[A-Z][A-Za-z]+/g));
  return [...names].filter((name) => !single.has(name));
};

test(`no file names more than ${most} figures of the base currency beside those of the order's`, () => {
  const found = sourcesOf(...product).map(({ path, text }) => ({ path, twins: twinsIn(text) }));
  expect(found.filter(({ twins }) => twins.length > most)).toEqual([]);
  expect(twinsIn('order.baseTaxAmount + order.baseCost + order.baseTaxAmount')).toEqual(['baseTaxAmount']);
});
