import { afterAll, beforeAll } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

export let api: TestApi;
export let shop: Awaited<ReturnType<typeof aShop>>;

/** A shop with one terminal. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
    shop = await aShop(fork());
  });
  afterAll(() => api.close());
}

const { fork } = booksOf(() => api.orm);
export const set = (path: string, value: string, scope?: 'websites' | 'stores', scopeId = 0) =>
  setConfigValue(fork(), secretBox, { path, value, ...(scope ? { scope, scopeId } : {}) });
export const ask = (terminalId: number | string) =>
  api.call('GET', `/V1/pos/terminals/${terminalId}/config`, { token: api.tokens.register });
export const configOf = async (terminalId: number) => JSON.parse((await ask(terminalId)).body);
