import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { checkSettings } from '../../../providers/doctor/check-settings.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { commandContextOf } from '../../cli/support.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
});
afterAll(() => orm.close());

const { fork, configure } = booksOf(() => orm);
const found = async () => (await checkSettings(commandContextOf(orm))).map(({ state, says }) => [state, says]);

test('doctor names settings that name what is not there, each of a list, and nothing else', async () => {
  await configure('vendor_pos_terminal/catalog/custom_sale_sku', 'mug');
  await configure('vendor_pos_terminal/orders/default_status', 'complete');
  await configure('vendor_pos_advanced/credit_limits/groups', '1:5000');
  await configure('vendor_pos_terminal/receipt/footer', '77, 78');
  expect(await found()).toEqual([['ok', 'what settings name is there']]);

  await configure('vendor_pos_terminal/catalog/categories', '2, 4711');
  await configure('vendor_pos_terminal/pickup/completed_status_code', 'fetched');
  await configure('vendor_pos_advanced/credit_limits/groups', '1:5000,99:1');
  await configure('vendor_pos_terminal/credits/excluded_skus', 'MUG,GONE');
  expect(await found()).toEqual([
    ['warning', 'vendor_pos_advanced/credit_limits/groups names "99", which is not there'],
    ['warning', 'vendor_pos_terminal/catalog/categories names "4711", which is not there'],
    ['warning', 'vendor_pos_terminal/credits/excluded_skus names "GONE", which is not there'],
    ['warning', 'vendor_pos_terminal/pickup/completed_status_code names "fetched", which is not there'],
  ]);
});
