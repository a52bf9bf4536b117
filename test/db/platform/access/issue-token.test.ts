import { beforeAll, expect, test } from '@jest/globals';
import { issueCustomerToken } from '../../../../db/platform/access/issue-token.ts';
import { changePassword } from '../../../../db/platform/customers/passwords.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aCustomer } from '../../../support/builders/wallet.ts';
import { booksOf } from '../../../support/books.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';

const orm = useDatabase();
let customerId: number;
beforeAll(async () => {
  const em = fork();
  await aShop(em);
  customerId = await aCustomer(em);
});

const books = booksOf(() => orm);
const { fork } = books;

const now = new Date('2026-11-23T12:00:00Z');
const signIn = (passwordHash: string) =>
  issueCustomerToken(fork(), { customerId, passwordHash, expiresAt: new Date('2030-01-01T00:00:00Z') });
const changeTo = (oldHash: string, passwordHash: string) =>
  changePassword(fork(), { customerId, oldHash, passwordHash, now });
const setHash = (hash: string) => books.change('customer', { id: customerId }, { password_hash: hash });
const living = () => books.howMany('access_token', { user_id: customerId, revoked_at: null });

test('a person who was checked against a former password gets no token', async () => {
  await setHash('one');
  expect(await signIn('one')).toEqual(expect.any(String));
  expect(await changeTo('one', 'two')).toBe(true);
  expect(await signIn('one')).toBeUndefined();
  expect(await living()).toBe(0);
});

test('a sign-in during the change waits for it', async () => {
  await setHash('one');
  const em = fork();
  await em.begin();
  await em.nativeUpdate(Customer, { id: customerId }, { passwordHash: 'two' });
  const late = signIn('one');
  await em.commit();
  expect(await late).toBeUndefined();
});

test('of the sign-ins beside a change of password, all are ended', async () => {
  await setHash('one');
  const [isChanged] = await Promise.all([changeTo('one', 'two'), ...Array.from({ length: 8 }, () => signIn('one'))]);
  expect([isChanged, await living()]).toEqual([true, 0]);
});

test('of eight changes of the same password one counts', async () => {
  await setHash('one');
  const done = await eightAtOnce((at) => changeTo('one', `new ${at}`));
  expect(done.filter(Boolean)).toHaveLength(1);
});
