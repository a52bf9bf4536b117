import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from '@jest/globals';
import { testDatabaseUrl } from '../support/database.ts';
import { bareEnvironment } from '../support/bare-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'pos-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run migrate`, in a folder of its own unless another is named. */
const migrated = (settings: Record<string, string> = {}, cwd = folder) =>
  new Promise<string>((done) => {
    const options = {
      cwd,
      env: { ...bareEnvironment(), ...settings },
    };
    execFile(process.execPath, [resolve('db/migrate.ts')], options, (_, out, err) => done(out + err));
  });

test('without a database it says in one sentence what it needs', async () => {
  expect(await migrated()).toBe('Say which database to migrate: DATABASE_URL=postgres://…\n');
});

test('a database that is away is one sentence, without its password', async () => {
  expect(await migrated({ DATABASE_URL: 'postgres://pos:hidden@127.0.0.1:9/pos' })).toBe(
    'The database of DATABASE_URL was not brought up to date (connect ECONNREFUSED 127.0.0.1:9).\n',
  );
});

test('it reads .env as every other command does', async () => {
  writeFileSync(join(folder, '.env'), `DATABASE_URL=${await testDatabaseUrl()}\n`);
  expect(await migrated()).toBe('The database is up to date.\n');
});

test('SKUs that become one product are told with their list, and are merged by nobody', async () => {
  const url = await testDatabaseUrl();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const pairs = async (...skus: string[]) => {
    await client.query('drop index product_sku_once');
    for (const sku of skus) await client.query('insert into product (sku, name, price) values ($1, $1, 1)', [sku]);
    await client.query(`delete from schema_migration where name like '%skus_in_any_letters%'`);
  };
  try {
    await pairs('Cup', 'CUP', 'CUP-2', 'caf\u00E9', 'cafe\u0301');
    const refused = await migrated({ DATABASE_URL: url }, '.');
    expect(refused).toContain('Products whose SKUs differ only in the case or the composition of letters');
    expect(refused).toContain('Delete one of each: Cup and CUP; caf\u00E9 and cafe\u0301');
    await client.query(`delete from product where sku in ('CUP', 'cafe\u0301')`);
    expect(await migrated({ DATABASE_URL: url }, '.')).toContain('Applied Migration20261127000000_skus_in_any_letters');
    await expect(client.query(`insert into product (sku, name, price) values ('cUP', 'x', 1)`)).rejects.toThrow(
      'product_sku_once',
    );
  } finally {
    await client.end();
  }
});
