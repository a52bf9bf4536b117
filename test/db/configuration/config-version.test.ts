import { expect, test } from '@jest/globals';
import { readShopSettings } from '../../../db/configuration/read-shop-settings.ts';
import { ConfigValue } from '../../../db/platform/stores/store.entity.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensTwoLocations, orm, set, changed, seen } from './what-registers-see.ts';

opensTwoLocations();

const { fork } = booksOf(() => orm);

test.each(seen)('%s changes what registers compare as far as they see it', async (_case, change, expected) => {
  expect(await changed(change)).toEqual(expected);
});

test('a setting holds for its store view over its website over the shop', async () => {
  const path = 'vendor_pos_terminal/receipt/header';
  await set(path, 'shop');
  await set(path, 'website', 'websites', 1);
  await set(path, 'view', 'stores', 2);
  const of = async (storeId: number, websiteId: number) =>
    (await readShopSettings(fork(), { storeId, websiteId }, secretBox)).text(path);

  expect([await of(2, 1), await of(1, 1), await of(9, 3), await of(0, 0)]).toEqual(['view', 'website', 'shop', 'shop']);
});

test('provider keys lie sealed and come out in clear', async () => {
  const path = 'vendor_pos_terminal/provider_b/service_secret';
  await set(path, 'canary-secret');
  const row = await fork().findOneOrFail(ConfigValue, { path });

  expect(row.isEncrypted).toBe(true);
  expect(row.value).toMatch(/^v1:[0-9a-f]{8}:/);
  expect(row.value).not.toContain('canary');
  expect((await readShopSettings(fork(), { storeId: 1, websiteId: 1 }, secretBox)).text(path)).toBe('canary-secret');
});

test('eight settings of one value at once leave one row', async () => {
  await eightAtOnce((at) => set('tax/weee/enable', String(at % 2)));
  expect(await fork().count(ConfigValue, { path: 'tax/weee/enable' })).toBe(1);
});
