import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { addPoints } from '../../cli/add-points.ts';
import { createGiftCard } from '../../cli/create-gift-card.ts';
import { money } from '../../domain/money/amount.ts';
import { findGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { findPoints } from '../../db/reward-points/read-points.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer, aSecondWebsite } from '../support/builders/wallet.ts';
import { booksOf } from '../support/books.ts';
import { testDatabase } from '../support/database.ts';
import { commandContextOf } from './support.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
  await aSecondWebsite(fork());
});
afterAll(() => orm.close());

const { fork, find } = booksOf(() => orm);
const shop = () => commandContextOf(orm);
const auditOf = (type: string) => find('pos_audit_log', { entity_type: type }, 'entity_id', 'old_value', 'new_value');

test('a gift card is made with the code that is named', async () => {
  const { text, json } = await createGiftCard(shop(), { amount: '50', code: 'Mother-1', expires: '2099-12-31' });

  expect(text).toBe('Gift card Mother-1 was made with 50.00 USD.');
  expect(json).toMatchObject({ code: 'Mother-1', balance: 50, currency: 'USD', website_id: 1 });
  expect(await findGiftCard(fork(), 'mother-1')).toMatchObject({ balance: money('50'), isExpired: false });
  expect(await auditOf('gift_card')).toEqual([{ entity_id: '1', old_value: null, new_value: '50 USD' }]);
});

test('without a code the card gets a random one, in the currency of the website', async () => {
  const { json } = await createGiftCard(shop(), { amount: '12.50', website: 'eu' });
  expect(json).toMatchObject({ code: expect.stringMatching(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/), currency: 'EUR' });
});

test.each([
  [{ amount: 'fifty' }, 400],
  [{ amount: '1e3' }, 400],
  [{ amount: '0' }, 400],
  [{ amount: '-5' }, 400],
  [{ amount: '0.005' }, 400],
  [{ amount: '5', code: 'MOTHER-1' }, 400],
  [{ amount: '5', website: 'mars' }, 404],
  [{ amount: '5', expires: 'tomorrow' }, 400],
  [{ amount: '5', expires: '2020-01-01' }, 400],
  [{ amount: '5', expires: '2099-02-30' }, 400],
])('no gift card is made of %j', async (options, status) => {
  await expect(createGiftCard(shop(), options)).rejects.toMatchObject({ status });
});

test('points are given and taken, with a line in the audit trail each', async () => {
  const customerId = await aCustomer(fork());
  const customer = String(customerId);

  expect((await addPoints(shop(), { customer, points: '100' })).text).toBe(
    `Customer ${customer} got 100 points and has 100 now.`,
  );
  expect((await addPoints(shop(), { customer, points: '-40' })).json).toMatchObject({ balance: 60 });
  expect(await findPoints(fork(), customerId, 1)).toBe(60);
  expect(await auditOf('reward_points')).toEqual([
    { entity_id: customer, old_value: '0', new_value: '100' },
    { entity_id: customer, old_value: '100', new_value: '60' },
  ]);
});

test.each([
  [{ points: '0' }, 400],
  [{ points: '1.5' }, 400],
  [{ points: '-1' }, 400],
  [{ points: '99999999999' }, 400],
  [{ points: '5', customer: 'Grace' }, 400],
  [{ points: '5', customer: 'order-1' }, 400],
  [{ points: '5', customer: '99999' }, 404],
  [{ points: '5', website: 'mars' }, 404],
  [{ points: '5', reason: 'paid with 4111111111111111' }, 400],
])('no points are given by %j', async (options, status) => {
  const customer = String(await aCustomer(fork()));
  await expect(addPoints(shop(), { customer, ...options })).rejects.toMatchObject({ status });
});
