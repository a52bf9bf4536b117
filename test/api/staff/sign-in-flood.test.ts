import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostFailures } from '../../../api/http/guess-limit.ts';
import { createAdminUser } from '../../../db/platform/access/create-admin-user.ts';
import { unavailable } from '../../../domain/errors.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aStaffMember, secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { impatient } from '../../support/database.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { atOnce } from '../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ limits: impatient, settings: { POS_SECRET_KEY: secretKey, TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => api.close());

const { fork, find, howMany } = booksOf(() => api.orm);

/** A caller without a token who tries random names: from one address, or from many. */
const guess = (number: number, address: string) =>
  api.call('POST', `/V1/integration/${number % 2 ? 'admin' : 'customer'}/token`, {
    body: { username: `random-${number}@nowhere.test`, password: 'guess' },
    headers: { 'x-forwarded-for': address },
  });

test.each([
  ['one address', () => '203.0.113.9'],
  ['as many addresses', (number: number) => `198.51.${number >> 8}.${number & 255}`],
])(
  'while somebody without a token tries random names from %s, every cashier signs in',
  async (_name, addressOf) => {
    const members = [];
    for (let at = 0; at < 6; at++) members.push(await aStaffMember(fork()));

    let lookups = 0;
    const flood = Array.from({ length: 400 }, async (_, number) => {
      const answer = await guess(number, addressOf(number));
      if (answer.status === 401) lookups++;
      return answer;
    });
    // The crowd is so large that some of it are turned away.
    await Promise.any(flood.map(async (one) => expect((await one).status).toBe(503)));
    const answers = await Promise.all(
      members.map(({ email }) =>
        api.call('POST', '/V1/pos/staff/authenticate', {
          token: api.tokens.register,
          body: { email, passcode: '1234', terminalId: 1 },
        }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(members.map(() => 200));
    // They did not stand behind the crowd.
    expect(lookups).toBeLessThan(48);
    const turnedAway = await Promise.all(flood);
    expect(new Set(turnedAway.map(({ status }) => status))).toEqual(new Set([401, 503]));
    expect(turnedAway.filter(({ status }) => status === 401).length).toBeLessThan(400);
    expect(api.faults).toEqual([]);
  },
  60_000,
);

test('a caller limited by address learns when to come again, and others sign in', async () => {
  const guesses = await atOnce(300, (number) => guess(number, '203.0.113.77'));
  const refused = guesses.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(100);
  expect(refused[0]?.headers.get('retry-after')).toBe('5');
}, 60_000);

test('people who know their passwords sign in as often as they like from one address', async () => {
  const passwordHash = await api.providers.passwords.hash('correct horse');
  const em = fork();
  const person = { passwordHash, firstName: 'Ada', lastName: 'Boss', email: 'ada@shop.test', resources: [] };
  await createAdminUser(em, { ...person, username: 'ada' });
  const { verify } = api.providers.passwords;
  // The hash itself is not what this is about.
  api.providers.passwords.verify = async (password) => password === 'correct horse';
  for (let time = 0; time < 2 * mostFailures; time++)
    expect(
      await api.call('POST', '/V1/integration/admin/token', {
        body: { username: 'ada', password: 'correct horse' },
        headers: { 'x-forwarded-for': '203.0.113.200' },
      }),
    ).toMatchObject({ status: 200 });
  api.providers.passwords.verify = verify;
}, 60_000);

test('while too many passcodes wait to be hashed, no member is hired and no passcode changed', async () => {
  const { email, staffId, roleId } = await aStaffMember(fork());
  const { hash } = api.providers.passwords;
  const said = 'Too many sign-ins at once. Please try again later.';
  api.providers.passwords.hash = async () => {
    throw unavailable(said);
  };
  const token = api.tokens.admin;
  const hired = { first_name: 'Ada', last_name: 'Boss', email: 'new@shop.test', passcode: '4321', role_id: roleId };
  for (const send of [
    () => api.call('POST', '/V1/pos/staff', { token, body: { staff: hired } }),
    () => api.call('PUT', `/V1/pos/staff/${staffId}`, { token, body: { staff: { passcode: '4321' } } }),
  ])
    await expectRefused({ send, status: 503, said });
  api.providers.passwords.hash = hash;
  expect([await howMany('pos_staff', { email }), await howMany('pos_staff', { email: hired.email })]).toEqual([1, 0]);
});

test('random names leave no more rows than there are places for them', async () => {
  const names = await find('token_throttle', {}, 'user_name');
  expect(names.filter(({ user_name: name }) => name.includes('random'))).toEqual([]);
});
