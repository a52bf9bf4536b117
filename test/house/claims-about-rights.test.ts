import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import { setUpResources } from '../../domain/platform/access.ts';
import { aReceipt, aStaffMember, aTerminal, secretKey } from '../support/builders/counter.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer } from '../support/builders/wallet.ts';
import { useApi } from '../support/fixtures.ts';

/** The rows of the page's second table: a token, the routes it opens, the routes it does not. */
const claims = readFileSync('docs/registers/tokens.md', 'utf8')
  .split('## What each opens')[1]!
  .split('\n')
  .flatMap((line) => {
    const [, token = '', opens = '', closed = ''] = /^\| ([a-z'-]+ token) +\|(.*)\|(.*)\|$/.exec(line) ?? [];
    const routesIn = (cell: string) => [...cell.matchAll(/`([A-Z]+ \/V1\/[^`]+)`/g)].map(([, route = '']) => route);
    return token === '' ? [] : [{ token, opens: routesIn(opens), closed: routesIn(closed) }];
  });

const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
const tokens = new Map<string, string>();
beforeAll(async () => {
  const em = () => api.orm.em.fork();
  await aShop(em());
  const { terminalId } = await aTerminal(em());
  const { email } = await aStaffMember(em());
  const register = { token: api.tokens.register };
  const signedIn = await api.call('POST', '/V1/pos/staff/authenticate', {
    ...register,
    body: { email, passcode: '1234', terminalId },
  });
  const receipt = await api.call('POST', '/V1/pos/receipts', { ...register, body: { receipt: aReceipt(terminalId) } });
  tokens.set('register token', api.tokens.register);
  tokens.set('set-up token', await api.tokenFor(...setUpResources));
  tokens.set("administrator's token", api.tokens.admin);
  tokens.set("customer's token", await api.customerToken(await aCustomer(em())));
  tokens.set('session token', signedIn.body.token);
  tokens.set('receipt token', receipt.body.token ?? receipt.body.receipt_token);
});

/** A body that fits no schema: no call gets further than the door. */
async function isOpen(route: string, token: string): Promise<boolean> {
  const [method = '', path = ''] = route.split(' ');
  const hasBody = method === 'POST' || method === 'PUT';
  const { status } = await api.call(method, path.replaceAll(/:\w+/g, '999999'), {
    token,
    ...(hasBody ? { body: '{' } : {}),
  });
  return status !== 401;
}

test('the page has a row for each token it names', () => {
  expect(claims.map(({ token }) => token)).toEqual([...tokens.keys()]);
  for (const token of tokens.values()) expect(token).toMatch(/^\S{20,}$/);
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const named = claims.flatMap(({ opens, closed }) => [...opens, ...closed]);
  expect(named.filter((route) => !known.has(route))).toEqual([]);
});

test.each(claims)('a $token opens what the page says, and not the rest', async ({ token, opens, closed }) => {
  const own = tokens.get(token) ?? '';
  const found = await Promise.all(
    [...opens, ...closed].map(async (route) => [route, await isOpen(route, own)] as const),
  );
  expect(found).toEqual([...opens.map((route) => [route, true]), ...closed.map((route) => [route, false])]);
});

test('a set-up token opens refunds, and the page says it in words', () => {
  const page = readFileSync('docs/registers/tokens.md', 'utf8');
  expect(page).toMatch(/^\| set-up token .*\*\*and also\*\* refunds/m);
});
