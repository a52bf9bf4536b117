import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { inTime } from '../../../activities/support.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { createOrm } from '../../../db/orm.ts';
import { patientLimits } from '../../../db/support/connections/guard-pool.ts';
import { aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { aShop } from '../../support/builders/shop.ts';
import { hold } from '../../support/books/held.ts';
import { testDatabaseUrl } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl(), { ...patientLimits, lockSeconds: 0.1 });
  await aShop(orm.em.fork());
});
afterAll(() => orm.close());

const past = '2026-11-21 09:00:00+00';
/** Another transaction holds the order meanwhile. */
const whileHeld = async (beginBefore: string) => {
  const { orderId } = await aLayaway(orm.em.fork());
  return orm.em.fork().transactional(async (holder) => {
    await hold(holder, 'sales_order', { entity_id: orderId });
    return inTime(orm.em, beginBefore, () => capturePayment(orm.em, aPayment(orderId, '10', { beginBefore })));
  });
};

test('a lock that is not free in time is a refusal once the caller has gone', async () => {
  await expect(whileHeld(past)).rejects.toMatchObject({ refusal: { status: 503 } });
});

test('and a fault before, which is tried again', async () => {
  await expect(whileHeld('infinity')).rejects.toMatchObject({ code: '55P03' });
});

test('any other failure stays what it is', async () => {
  const fault = new Error('a bug');
  await expect(inTime(orm.em, past, () => Promise.reject(fault))).rejects.toBe(fault);
});
