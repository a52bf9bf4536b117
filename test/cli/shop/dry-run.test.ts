import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { createRole } from '../../../db/staff/create-role.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { commandContextOf } from '../support.ts';
import { fileWith, lanterns } from './a-shop-file.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const { fork, find } = booksOf(() => orm);
const shop = () => commandContextOf(orm);
const next = async () => (await createRole(fork(), { name: `Role ${Math.random()}`, permissions: '{}' })) as number;

test('a dry run burns no ids: what is made after it is numbered as if it had never been', async () => {
  const role = await next();
  const trial = await applyShopFile(shop(), fileWith(lanterns()), { dryRun: true });
  expect(trial.text).toContain('would be made; nothing was changed');
  expect(await next()).toBe(role + 1);

  await applyShopFile(shop(), fileWith(lanterns()), { dryRun: true });
  await applyShopFile(shop(), fileWith(lanterns()), {});
  expect(await find('pos_location', {}, 'location_id')).toEqual([{ location_id: 1 }]);
  expect((await find('pos_terminal', {}, 'terminal_id')).map((row) => row['terminal_id'])).toEqual([1, 2]);
});

test('ids that somebody draws while a dry run is on its way stay theirs', async () => {
  const extra = lanterns();
  extra.roles = Array.from({ length: 20 }, (_, at) => ({ name: `Trial ${at}`, permissions: ['place_orders'] }));
  const drawn = await Promise.all([
    applyShopFile(shop(), fileWith(extra), { dryRun: true }).then(() => 0),
    ...Array.from({ length: 8 }, () => next()),
  ]);
  const own = drawn.filter((id) => id !== 0);

  expect(new Set(own).size).toBe(8);
  expect(own).not.toContain(await next());
});
