import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './sql.ts';

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

const lock = sql('lock-advisory.lock')`select from pg_advisory_xact_lock(hashtextextended($name, 0))`;

const tryLock = sql('lock-advisory.tryLock')`select pg_try_advisory_xact_lock(hashtextextended($name, 0)) as is_ours`;
