import { migrate } from '../../db/migrate.ts';
import { createOrm } from '../../db/orm.ts';
import { CannotStart } from '../cannot-start.ts';
import { seedDemoShop } from '../demo-shop/seed.ts';
import { writeExamples, type Example } from './examples.ts';
import type { Step } from '../step.ts';
import { keepTokens, type Tokens } from './tokens.ts';

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
  const { url, dataDir, secretKey, api, step } = options;
  await step('Migrations', () => bringUpToDate(url));
  const orm = await createOrm(url);
  try {
    if (options.hasDemoShop) await step('Demo shop', () => seedDemoShop(orm, secretKey));
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
      `The database could not be brought up to date (${reason}). If its data are only trials, forget them: npm run tools -- reset`,
    );
  }
}
