import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createIntegration } from '../../cli/create-integration.ts';
import { listTokens } from '../../cli/list-tokens.ts';
import { revokeToken } from '../../cli/revoke-token.ts';
import { testDatabase } from '../support/database.ts';
import { commandContextOf } from './support.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const shop = () => commandContextOf(orm);
const accounting = { name: 'Accounting', acl: 'Vendor_Pos::receipts' };

test('an operator gets the four values that a client signs with', async () => {
  const { text, json } = await createIntegration(shop(), accounting);

  expect(json).toEqual({
    integration_id: 1,
    name: 'Accounting',
    resources: ['Vendor_Pos::receipts'],
    consumer_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    consumer_secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    access_token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    access_token_secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
  });
  expect(text.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
    'consumer key',
    'consumer secret',
    'access token',
    'access token secret',
  ]);
});

test('four more for the same name are counted beside the first, and all of them end together', async () => {
  await createIntegration(shop(), accounting);
  expect((await listTokens(shop())).json).toMatchObject([{ name: 'Accounting', tokens: 2 }]);

  await revokeToken(shop(), 'Accounting');
  expect((await listTokens(shop())).json).toMatchObject([{ name: 'Accounting', tokens: 0 }]);
});

test.each([
  [' ', 'register'],
  ['X', 'locations'],
  ['X', 'Vendor_Pos::locations,Vendor_Pos::location'],
])('a name of %j with the resources %s is refused, and nothing is made', async (name, acl) => {
  await expect(createIntegration(shop(), { name, acl })).rejects.toMatchObject({ status: 400 });
  expect((await listTokens(shop())).json).toHaveLength(1);
});
