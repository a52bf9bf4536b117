import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { notePassed } from '../../../db/process/note-asked.ts';
import { openProcess } from '../../../db/process/open-process.ts';
import { findProcess } from '../../../db/process/process.repository.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { verify } from '../../../db/verify/verify.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { noObjection } from '../../../domain/returns/eligibility.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
});
afterAll(() => orm.close());

test('a cent of rounding in the base currency alone is no store credit, and ends the run all the same', async () => {
  const customerId = await aCustomerWithCredit(orm, '200');
  const { orderId, itemIds } = await anOrder(orm.em.fork(), {
    customerId,
    rate: '0.6',
    currency: 'EUR',
    credits: [{ credit_type: 'store_credit', amount: 64.79 }],
  });
  const mug = { qty: pieces(1), reason: null, condition: null, resolution: null, resolutionId: null };
  const { processId } = await openProcess(orm.em, {
    orderId,
    requestKey: 'a-cent',
    customerId,
    items: itemIds.map((orderItemId) => ({ orderItemId, ...mug })),
    resolution: 'store_credit',
    isOnline: false,
    comment: null,
    author: 'Ada',
    provider: { code: '', resolutionIds: [], verdict: noObjection },
    canRefundThrough: () => false,
  });
  await notePassed(orm.em.fork(), processId);

  await settleProcess(orm.em, processId);

  expect(await findProcess(orm.em.fork(), processId)).toMatchObject({ state: 'done', storeCreditIssued: 0 });
  expect(await walletOf(orm, customerId)).toBe('146.0100');
  expect(await verify(orm.em.fork(), { lookAgainAfterMs: 1 })).toEqual([]);
});
