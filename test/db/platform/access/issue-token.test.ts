import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../../db/orm.ts';
import { issueCustomerToken } from '../../../../db/platform/access/issue-token.ts';
import { changePassword } from '../../../../db/platform/customers/change-password.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aCustomer } from '../../../support/builders/wallet.ts';
import { booksOf } from '../../../support/books.ts';
import { testDatabaseUrl } from '../../../support/database.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let orm: MikroORM;
let customerId: number;
beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  const em = fork();
  await aShop(em);
  customerId = await aCustomer(em);
});
afterAll(() => orm.close());

const { fork, rows } = booksOf(() => orm);

const now = new Date('2026-11-23T12:00:00Z');
const signIn = (passwordHash: string) =>
  issueCustomerToken(fork(), { customerId, passwordHash, expiresAt: new Date('2030-01-01T00:00:00Z') });
const change = (oldHash: string, passwordHash: string) =>
  changePassword(fork(), { customerId, oldHash, passwordHash, now });
const setHash = (hash: string) => change('customer', { id: customerId }, { password_hash: hash });
const living = async () => {
  const [row] = await rows<{ n: number }>(
    'select count(*)::int as n from access_token where user_id = ? and revoked_at is null',
    customerId,
  );
  return row?.n;
};

test('a person who was checked against a former password gets no token', async () => {
  await setHash('one');
  expect(await signIn('one')).toEqual(expect.any(String));
  expect(await change('one', 'two')).toBe(true);
  expect(await signIn('one')).toBeUndefined();
  expect(await living()).toBe(0);
});

test('a sign-in during the change waits for it', async () => {
  await setHash('one');
  const em = fork();
  await em.begin();
  await change('customer', { id: customerId }, { password_hash: 'two' });
  const late = signIn('one');
  await em.commit();
  expect(await late).toBeUndefined();
});

test('of the sign-ins beside a change of password, all are ended', async () => {
  await setHash('one');
  const [isChanged] = await Promise.all([change('one', 'two'), ...Array.from({ length: 8 }, () => signIn('one'))]);
  expect([isChanged, await living()]).toEqual([true, 0]);
});

test('of eight changes of the same password one counts', async () => {
  await setHash('one');
  const done = await eightAtOnce((at) => change('one', `new ${at}`));
  expect(done.filter(Boolean)).toHaveLength(1);
});
