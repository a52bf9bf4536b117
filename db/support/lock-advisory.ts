import type { EntityManager } from '@mikro-orm/postgresql';
import { text } from './kinds.ts';
import { statement } from './statement.ts';

/** Waits until nobody else works on what has this name, and keeps it until the transaction ends. */
export async function lockAdvisory(em: EntityManager, name: string): Promise<void> {
  await lock.run(em, { name });
}

const lock = statement({
  takes: { name: text },
  text: 'select from pg_advisory_xact_lock(hashtextextended($name, 0))',
});
