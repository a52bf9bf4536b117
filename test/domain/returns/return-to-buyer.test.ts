import { expect, test } from 'vitest';
import { none, pieces } from '../../../domain/money/quantity.ts';
import { returnToBuyer, type TakenIn } from '../../../domain/returns/return-to-buyer.ts';

const taken = (given: Partial<TakenIn> = {}): TakenIn => ({
  returnItemId: 1,
  sku: 'MUG',
  sourceCode: 'floor',
  qty: pieces(2),
  qtyRequested: pieces(2),
  qtyNeverShipped: none,
  ...given,
});
const shelf = (count: number, sourceCode = 'floor') => ({ sku: 'MUG', sourceCode, qty: pieces(count) });

test.each([
  ['all of it lies there', taken(), [shelf(5)], 2, 0],
  ['one was sold meanwhile', taken(), [shelf(1)], 1, 1],
  ['the shelf is empty', taken(), [shelf(0)], 0, 2],
  ['the shelf is gone', taken(), [shelf(5, 'window')], 0, 2],
  ['it was written off', taken({ sourceCode: null }), [shelf(5)], 2, 0],
  ['one was never handed over', taken({ qtyNeverShipped: pieces(1) }), [shelf(5)], 1, 0],
  ['none was ever handed over', taken({ qtyNeverShipped: pieces(2) }), [shelf(5)], 0, 0],
  ['only the one that was handed over came', taken({ qty: pieces(1), qtyNeverShipped: pieces(1) }), [shelf(5)], 1, 0],
] as const)('when %s', (_sentence, line, shelves, out, missing) => {
  expect(returnToBuyer([line], shelves)).toEqual([
    {
      returnItemId: 1,
      sku: 'MUG',
      sourceCode: line.sourceCode,
      qty: pieces(out),
      qtyMissing: pieces(missing),
    },
  ]);
});

test('two lines of one product share what lies on the shelf', () => {
  const lines = [taken(), taken({ returnItemId: 2 })];
  expect(returnToBuyer(lines, [shelf(3)]).map(({ qty }) => qty)).toEqual([pieces(2), pieces(1)]);
});
