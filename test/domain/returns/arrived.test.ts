import { expect, test } from 'vitest';
import { none, pieces } from '../../../domain/money/quantity.ts';
import { arrivedOf } from '../../../domain/returns/arrived.ts';

test.each([
  ['all were shipped and lie on the counter', { shipped: 3, cameBack: 0, requested: 2, received: 2 }, [2, 0, 0]],
  ['one of the shipped ones did not come', { shipped: 3, cameBack: 0, requested: 2, received: 1 }, [1, 0, 0]],
  ['none was shipped', { shipped: 0, cameBack: 0, requested: 2, received: 2 }, [0, 2, 2]],
  ['none was shipped and nobody looked', { shipped: 0, cameBack: 0, requested: 2, received: 0 }, [0, 0, 2]],
  ['one was shipped, and it came', { shipped: 1, cameBack: 0, requested: 2, received: 1 }, [1, 0, 1]],
  ['one was shipped, and both were looked at', { shipped: 1, cameBack: 0, requested: 2, received: 2 }, [1, 1, 1]],
  ['the shipped ones are back already', { shipped: 2, cameBack: 2, requested: 1, received: 1 }, [0, 1, 1]],
  ['two were shipped after one came back unshipped', { shipped: 2, cameBack: 0, requested: 2, received: 2 }, [2, 0, 0]],
] as const)('%s', (_sentence, { shipped, cameBack, requested, received }, [came, lookedAt, neverShipped]) => {
  expect(
    arrivedOf(
      { requested: pieces(requested), received: pieces(received) },
      { isStockManaged: true, qtyShipped: pieces(shipped), qtyCameBack: pieces(cameBack) },
    ),
  ).toEqual({ cameBack: pieces(came), lookedAt: pieces(lookedAt), neverShipped: pieces(neverShipped) });
});

test('goods without stock management count as shipped', () => {
  const line = { isStockManaged: false, qtyShipped: none, qtyCameBack: none };
  expect(arrivedOf({ requested: pieces(2), received: pieces(1) }, line)).toEqual({
    cameBack: pieces(1),
    lookedAt: none,
    neverShipped: none,
  });
});
