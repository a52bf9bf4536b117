import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { skuKeyOf } from '../../../db/support/sku-sql.ts';
import { skuKey } from '../../../domain/platform/catalog/sku-key.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const { rows } = booksOf(() => orm);

/** Before the letters that came with the newest Unicode, which not every database knows. */
const last = 0xa700;

test('the database and the shop know the same SKUs as one, letter by letter', async () => {
  const found = await rows<{ letter: string; key: string }>(
    `select chr(n) as letter, ${skuKeyOf('chr(n)')} as key from generate_series(32, ${last}) n`,
  );
  expect(found.filter(({ letter, key }) => skuKey(letter) !== key)).toEqual([]);
});
