import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, definite, text } from './entity-columns.ts';
import { statement } from './statement.ts';

/** Waits for the lock with this name, and holds it until the transaction ends. */
export async function lockAdvisory(em: EntityManager, name: string): Promise<void> {
  await lock.run(em, { name });
}

/**
 * Takes the lock with this name if it is free; never waits.
 * @returns whether the caller holds it until the transaction ends
 */
export async function tryLockAdvisory(em: EntityManager, name: string): Promise<boolean> {
  const turn = await tryLock.first(em, { name });
  return turn?.isOurs === true;
}

const lock = statement({
  takes: { name: text },
  text: 'select from pg_advisory_xact_lock(hashtextextended($name, 0))',
});

const tryLock = statement({
  takes: { name: text },
  gives: { isOurs: definite(flag) },
  text: 'select pg_try_advisory_xact_lock(hashtextextended($name, 0)) as is_ours',
});
