import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import type { AnyRoute } from '../../api/http/route.ts';
import { everyResource, knownResources } from '../../domain/platform/access.ts';
import { useApi } from '../support/fixtures.ts';

/** Every route with its ACL, to be read against the interface. `UPDATE_ROUTES=1` writes it anew. */
const goldenFile = 'test/house/routes.txt';

const aclOf = ({ acl }: AnyRoute) => (typeof acl === 'string' ? [acl] : [...acl]);
const isOpen = (route: AnyRoute) => aclOf(route).includes('anonymous');

const byPath = routes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));
const written = byPath.map((route) => `${route.method.padEnd(6)} ${route.path} ${aclOf(route).join(', ')}\n`).join('');

const api = useApi();

test('every route and its resource is as it was agreed', () => {
  if (process.env['UPDATE_ROUTES'] === '1') writeFileSync(goldenFile, written);
  expect(written).toBe(readFileSync(goldenFile, 'utf8'));
});

test('a resource is spelled as we answer it', () => {
  expect(
    routes
      .flatMap(aclOf)
      .filter((resource) => !/^(?:anonymous|self|(?:Platform|Vendor)_[A-Za-z]+::[a-z_]+)$/.test(resource)),
  ).toEqual([]);
});

test('an operator may grant what routes ask for, and nothing that opens no door', () => {
  const asked = routes.flatMap(aclOf).filter((resource) => resource !== 'anonymous' && resource !== 'self');
  expect([...knownResources]).toEqual([...new Set([...asked, everyResource])].toSorted());
});

/** With values in place of the variables; nothing of that kind exists. */
const pathOf = ({ path }: AnyRoute) => path.replaceAll(/:(\w+)/g, '999999');

const answerTo = async (route: AnyRoute, token: string | undefined) => {
  const takesBody = route.method === 'POST' || route.method === 'PUT';
  const { status, body } = await api.call(route.method, pathOf(route), {
    ...(token === undefined ? {} : { token }),
    // A body that fits nothing: who may not call must not learn that.
    ...(takesBody ? { body: '{' } : {}),
  });
  return { route: `${route.method} ${route.path}`, status, body };
};

test('who may not call a route gets the one 401 body, whatever else is wrong', async () => {
  const tokens = [undefined, 'garbage', api.tokens.nothing, await api.tokenFor('Vendor_Pos::none_of_these')];
  for (const route of byPath.filter((one) => !isOpen(one))) {
    for (const token of tokens) {
      expect(await answerTo(route, token)).toEqual({
        route: `${route.method} ${route.path}`,
        status: 401,
        body: {
          message: "The consumer isn't authorized to access %resources.",
          parameters: { resources: aclOf(route).join(', ') },
        },
      });
    }
  }
});

test('a customer’s own routes are closed to administrators, all others to customers', async () => {
  for (const route of byPath.filter((one) => aclOf(one).includes('self')))
    expect((await answerTo(route, api.tokens.admin)).status).toBe(401);
});

test('a token with just a route’s resources gets past the door', async () => {
  for (const route of byPath.filter((one) => !isOpen(one) && !aclOf(one).includes('self'))) {
    const magento = aclOf(route).map((resource) => resource.replace(/^Platform_/, 'Magento_'));
    const integration = await api.tokenFor(...magento);
    const token = route.isForAdmins ? await api.adminTokenFor(...magento) : integration;
    if (route.isForAdmins) expect((await answerTo(route, integration)).status).toBe(401);
    const { status } = await answerTo(route, token);
    expect({ route: `${route.method} ${route.path}`, isIn: status !== 401 }).toEqual({
      route: `${route.method} ${route.path}`,
      isIn: true,
    });
  }
});

test('an open route asks no caller for a token', async () => {
  for (const route of byPath.filter(isOpen)) {
    for (const token of [undefined, 'garbage', api.tokens.nothing]) {
      const { status, body } = await answerTo(route, token);
      expect({ status, body }).not.toMatchObject({ body: { parameters: { resources: expect.anything() } } });
      expect(status).not.toBe(403);
    }
  }
});
