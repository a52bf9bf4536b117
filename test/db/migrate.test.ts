import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
