import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { createOrm } from '../../db/orm.ts';
import { CannotStart } from '../../local/cannot-start.ts';
import { prepareDatabase } from '../../local/prepare/examples.ts';
import { broken, spoken } from '../../providers/doctor/check.ts';
import { checkDatabase } from '../../providers/doctor/check-database.ts';
import { parseSettings } from '../../providers/settings.ts';
import { commandContextOf } from '../cli/support.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { booksOf } from '../support/books.ts';
import { emptyDatabaseUrl, testDatabaseUrl } from '../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'pos-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program says, in a folder of its own. */
const lastWords = (program: string, settings: Record<string, string> = {}) =>
  new Promise<string>((done) => {
    const options = { cwd: folder, env: { ...bareEnvironment(), ...settings } };
    execFile(process.execPath, [resolve(program)], options, (_, out, err) => done(out + err));
  });

/** `npm run migrate`. */
const migrated = (settings?: Record<string, string>) => lastWords('db/migrate.ts', settings);

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
  rmSync(join(folder, '.env'));
});

describe('tables that other sources made', () => {
  const sentence =
    'The tables of this database are older than the first release, or were made by other sources than these. ' +
    'A local shop: npm run tools -- reset --yes; any other: a new database.';

  /** One of another fingerprint, and one from before there were any. */
  const urls: string[] = [];
  beforeAll(async () => {
    for (const change of [`update schema_migration set fingerprint = 'other'`, oldTable]) {
      const url = await testDatabaseUrl();
      const orm = await createOrm(url);
      await booksOf(() => orm).rows(change);
      await orm.close();
      urls.push(url);
    }
  });
  const oldTable = 'alter table schema_migration drop column fingerprint';

  test('are refused by migrate, the API and the worker, each in one sentence', async () => {
    for (const DATABASE_URL of urls) {
      const settings = { DATABASE_URL, TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL'] ?? '', PORT: '0' };
      const programs = ['db/migrate.ts', 'api/main.ts', 'worker/main.ts'];
      const said = await Promise.all(programs.map((program) => lastWords(program, { ...settings, METRICS_PORT: '0' })));
      expect(said).toEqual(programs.map(() => `${sentence}\n`));
    }
  });

  test('end a start before anything is written', async () => {
    const step = (_: string, work: () => Promise<unknown>) => work() as never;
    const prepared = prepareDatabase({
      url: urls[0]!,
      dataDir: folder,
      secretKey: '',
      api: '',
      hasDemoShop: true,
      step,
    });
    await expect(prepared).rejects.toEqual(new CannotStart(sentence));
  });

  test('are found by doctor, who says what to do', async () => {
    const orm = await createOrm(urls[0]!);
    const context = commandContextOf(orm, {
      settings: parseSettings({ DATABASE_URL: urls[0] }),
      now: () => new Date(),
    });
    const found = (await checkDatabase(context)).map((check) => spoken(check));
    await orm.close();
    expect(found).toContainEqual(
      broken(
        'migrations',
        'the tables were made by other sources than these',
        'npm run tools -- reset --yes (a local shop), or a new database',
      ),
    );
  });
});

test('a new database is made by these sources, and is fine the second time', async () => {
  const url = await emptyDatabaseUrl();
  expect(await migrate(url)).toEqual(['Migration20261121225501_first_day']);
  expect(await migrate(url)).toEqual([]);
});
