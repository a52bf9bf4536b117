import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { PasswordHasher } from '../../../providers/password-hasher.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { auditTrail } from '../../support/books/audit-trail.ts';
import { waiting } from '../../support/books/held.ts';
import { aRole, quickHash, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';

export let api: TestApi;
let editor: string;
export let roleId: number;
export let locationId: number;
export let hashed: string[] = [];
let made = 0;

/** The real one, quick and counted. */
const quick = (real: PasswordHasher): PasswordHasher => ({
  ...real,
  async hash(passcode) {
    hashed.push(passcode);
    return quickHash(passcode);
  },
});

/** A shop with an editor of its staff. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
    api.providers.passwords = quick(api.providers.passwords);
    ({ locationId } = await aShop(fork()));
    roleId = await aRole(fork(), { name: 'Cashier', permissions: '{"place_orders":true}' });
    editor = await api.tokenFor('Vendor_Pos::staff_manage_edit', 'Vendor_Pos::staff_manage');
  });
  beforeEach(async () => {
    await remove('pos_audit_log');
    hashed = [];
  });
  afterAll(async () => {
    await api.providers.passwords.close();
    await api.close();
  });
}

const books = booksOf(() => api.orm);
const { fork, remove } = books;
export const call = (method: string, path: string, body?: unknown, token = editor) =>
  api.call(method, `/V1/pos/staff${path}`, { token, ...(body === undefined ? {} : { body }) });
export const create = (staff: unknown, token = editor) => call('POST', '', { staff }, token);
export const update = (staffId: number, staff: unknown, token = editor) => call('PUT', `/${staffId}`, { staff }, token);
export const wish = (more: Record<string, unknown> = {}) => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: `ada-${++made}@shop.test`,
  passcode: '1234',
  role_id: roleId,
  ...more,
});
export const aMember = async (more: Record<string, unknown> = {}) => (await create(wish(more))).body;
export const signIn = (email: string, passcode: string) =>
  api.call('POST', '/V1/pos/staff/authenticate', { token: api.tokens.register, body: { email, passcode } });
export const validate = (token: string) =>
  api.call('POST', '/V1/pos/staff/session/validate', { token: api.tokens.register, body: { token } });
export const trail = () => auditTrail(books);
export const inOrder = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
export const unknown = {
  status: 404,
  body: { message: 'Staff member with id %1 does not exist', parameters: [99_999] },
};

export const somebodyWaits = async () => (await waiting(books)) > 0;
