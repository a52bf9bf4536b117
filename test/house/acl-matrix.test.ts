import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import type { AnyRoute } from '../../api/http/route.ts';
import { issueToken } from '../../db/platform/access/issue-token.ts';
import { grantedBy, registerResources } from '../../domain/platform/access.ts';
import { testApi, type TestApi } from '../support/api.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer } from '../support/builders/wallet.ts';

const aclOf = ({ acl }: AnyRoute): string[] => (typeof acl === 'string' ? [acl] : [...acl]);
const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`;

const own = routes.filter((route) => aclOf(route).includes('self'));
const guarded = routes.filter((route) => !aclOf(route).includes('self') && !aclOf(route).includes('anonymous'));
const resources = [...new Set(guarded.flatMap(aclOf))];

let api: TestApi;
let customer: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  customer = await api.customerToken(await aCustomer(api.orm.em.fork()));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

/** Of these routes, those the token opens. A body that fits no schema: no call gets further than the door. */
async function openedBy(token: string, among: readonly AnyRoute[], prefix = '/rest'): Promise<string[]> {
  const opened: string[] = [];
  for (const route of among) {
    const path = prefix + route.path.replaceAll(/:\w+/g, '999999');
    const hasBody = route.method === 'POST' || route.method === 'PUT';
    const { status } = await api.call(route.method, path, { token, ...(hasBody ? { body: '{' } : {}) });
    if (status !== 401) opened.push(nameOf(route));
  }
  return opened;
}

test.each(resources)('without %s, all other resources together do not help', async (missing) => {
  const token = await api.tokenFor(...resources.filter((resource) => !grantedBy(missing).includes(resource)));
  expect(
    await openedBy(
      token,
      guarded.filter((route) => aclOf(route).includes(missing)),
    ),
  ).toEqual([]);
});

test('a register’s token opens what a register needs and nothing else', async () => {
  const isRegisters = (route: AnyRoute) => aclOf(route).every((one) => registerResources.some((had) => had === one));
  expect(await openedBy(api.tokens.register, guarded)).toEqual(guarded.filter(isRegisters).map(nameOf));
  expect(await openedBy(api.tokens.register, own)).toEqual([]);
});

test('a customer’s token opens the customer’s own routes alone, and those of the own website alone', async () => {
  expect(await openedBy(customer, guarded)).toEqual([]);
  // Last of all: it takes the token itself away.
  const isRevoking = ({ path }: AnyRoute) => path.endsWith('/revoke-customer-token');
  const rest = own.filter((route) => !isRevoking(route));
  expect(await openedBy(customer, rest, '/rest/all')).toEqual([]);
  expect(await openedBy(customer, [...rest, ...own.filter(isRevoking)])).toHaveLength(own.length);
});

test('a token that expired or whose customer is gone opens nothing', async () => {
  const em = () => api.orm.em.fork();
  const expired = await issueToken(em(), { userType: 'admin', userId: 1, expiresAt: new Date(Date.now() - 1) });
  const orphaned = await issueToken(em(), { userType: 'customer', userId: 999_999, expiresAt: null });
  for (const token of [expired, orphaned]) expect(await openedBy(token, [...guarded, ...own])).toEqual([]);
});

test('a resource that is not spelled as we spell it grants nothing', async () => {
  const misspelled = resources.flatMap((resource) => [
    resource.toLowerCase(),
    `${resource} `,
    resource.replace('::', ':'),
    resource.replace(/::.*/, '::*'),
    resource.replace(/^(?:Vendor|Platform)_/, ''),
    resource.replace(/^Vendor_/, 'Magento_').replace(/^Platform_/, 'Vendor_'),
  ]);
  const token = await api.tokenFor(...misspelled, '', '*', 'all', 'anonymous', 'self', 'Platform_Backend::All');
  expect(await openedBy(token, [...guarded, ...own])).toEqual([]);
});
