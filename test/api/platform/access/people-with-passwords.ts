import { afterAll, beforeAll } from '@jest/globals';
import { createAdminToken, createCustomerToken, revokeCustomerToken } from '../../../../api/platform/access.ts';
import { route } from '../../../../api/http/route.ts';
import { createAdminUser } from '../../../../db/platform/access/create-admin-user.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { z } from 'zod';

const { fork, change } = booksOf(() => api.orm);

const whoAmI = (path: `/V1/${string}`, acl: 'self' | 'anonymous' | `${string}::${string}`) =>
  route({
    method: 'GET',
    path,
    acl,
    summary: 'Tells who calls',
    response: z.object({ userType: z.string(), name: z.string() }),
    handle: async ({ caller }) => ({ userType: caller.userType, name: caller.name }),
  });

const routes = [
  createAdminToken,
  createCustomerToken,
  revokeCustomerToken,
  whoAmI('/V1/me', 'self'),
  whoAmI('/V1/open', 'anonymous'),
  whoAmI('/V1/orders', 'Platform_Sales::actions_view'),
];

export let now = new Date('2026-11-21T09:00:00Z');
export const later = (seconds: number) => (now = new Date(now.getTime() + seconds * 1_000));

export let api: TestApi;
export let passwordHash: string;

/** A shop with one route that says who asks. */
export function opensTheDoor(): void {
  beforeAll(async () => {
    api = await testApi({ routes, clock: () => now });
    await aShop(fork());
    passwordHash = await api.providers.passwords.hash('correct horse');
  });
  afterAll(() => api.close());
}

let people = 0;
/** Of the administrator who comes next. */
export const nextAdmin = () => `boss${people + 1}`;
/** A name that no other test has. */
export const aName = (name: string) => `${name}${++people}`;
export async function anAdmin(fields: { resources?: string[] | null; isActive?: boolean } = {}) {
  const username = aName('boss');
  const userId = await createAdminUser(fork(), {
    username,
    passwordHash,
    firstName: 'Ada',
    lastName: 'Boss',
    email: `${username}@example.com`,
    resources: fields.resources === undefined ? ['Magento_Sales::actions_view'] : fields.resources,
  });
  if (fields.isActive === false) await change('admin_user', { user_id: userId }, { is_active: false });
  return username;
}

export const askAdminToken = (username: string, password: string) =>
  api.call('POST', '/V1/integration/admin/token', { body: { username, password } });

export const incorrect = {
  message:
    'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.',
};
