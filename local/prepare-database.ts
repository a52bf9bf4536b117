import pg from 'pg';
import { migrate } from '../db/migrate.ts';
import { createOrm } from '../db/orm.ts';
import { CannotStart } from './cannot-start.ts';
import { seedDemoShop } from './demo-shop/seed.ts';
import { writeExamples, type Example } from './examples.ts';
import { keepTokens, type Tokens } from './secrets.ts';

/** The shop's database on our own server, created at the first start. */
export async function ownDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: server.href });
  // A stopped server fails the running query; its `error` event without a listener would end the process.
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await admin.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await admin.end();
  }
}

/** Refuses, in one sentence, a configured database that does not answer. */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new CannotStart(
      `The database of DATABASE_URL does not answer (${reason}); start it, or unset DATABASE_URL to get one brought along.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export interface PrepareOptions {
  url: string;
  dataDir: string;
  secretKey: string;
  hasDemoShop: boolean;
  /** The API's address, for the examples. */
  api: string;
  /** Times and reports one step. */
  step: Step;
}

export interface Prepared {
  tokens: Tokens;
  examples: Example[];
}

/** Migrates the database, fills it with the demo shop, and ensures the tokens. Safe to repeat. */
export async function prepareDatabase(options: PrepareOptions): Promise<Prepared> {
  const { url, dataDir, api, step } = options;
  await step('Migrations', () => bringUpToDate(url));
  if (options.hasDemoShop) await step('Demo shop', () => seedDemoShop(options));
  const orm = await createOrm(url);
  try {
    const tokens = await keepTokens(orm.em.fork(), dataDir);
    return { tokens, examples: await writeExamples(orm.em.fork(), { dataDir, api, token: tokens.registerToken }) };
  } finally {
    await orm.close();
  }
}

async function bringUpToDate(url: string): Promise<void> {
  try {
    await migrate(url);
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new CannotStart(
      `The database could not be brought up to date (${reason}). If its data are only trials, forget them: npm run reset`,
    );
  }
}
