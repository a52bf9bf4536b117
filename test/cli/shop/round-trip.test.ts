import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { exportShop } from '../../../cli/export-shop.ts';
import { createOrm } from '../../../db/orm.ts';
import { seedDemoShop } from '../../../local/demo-shop/seed.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { commandContextOf } from '../support.ts';
import { fileWith } from './a-shop-file.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  await seedDemoShop(orm, randomBytes(32).toString('base64'));
});
afterAll(() => orm.close());

test('the demo shop, exported and applied, has nothing to change and nothing to remove', async () => {
  const { text } = await exportShop(commandContextOf(orm));
  expect(text).not.toMatch(/demo-live-key|demo-api-token|passwordHash|activation/);
  const applied = await applyShopFile(commandContextOf(orm), fileWith(text), { prune: true });
  expect(applied.text).toBe('The shop is as the file says: nothing to change.');
});
