import { afterAll, beforeAll } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

export let api: TestApi;
export let locationId: number;
export let admin: string;

/** A shop with an administrator of its terminals. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
    ({ locationId } = await aShop(fork()));
    admin = await api.tokenFor('Vendor_Pos::locations_manage', 'Vendor_Pos::locations');
    await requireCodes('0');
  });
  afterAll(() => api.close());
}

const { fork } = booksOf(() => api.orm);

/** Whether a device needs an activation code. */
export const requireCodes = (value: string | null, website?: number) =>
  setConfigValue(fork(), secretBox, {
    path: 'vendor_pos/general/require_terminal_registration',
    value,
    ...(website === undefined ? {} : { scope: 'websites' as const, scopeId: website }),
  });
export const create = (terminal: unknown, token = admin) =>
  api.call('POST', '/V1/pos/terminals', { token, body: { terminal } });
export const update = (terminalId: number, terminal: unknown, token = admin) =>
  api.call('PUT', `/V1/pos/terminals/${terminalId}`, { token, body: { terminal } });
export const read = (path: string, token = admin) => api.call('GET', `/V1/pos/terminals${path}`, { token });
