import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, surely, text } from './kinds.ts';
import { statement } from './statement.ts';

/** Waits until nobody else works on what has this name, and keeps it until the transaction ends. */
export async function lockAdvisory(em: EntityManager, name: string): Promise<void> {
  await lock.run(em, { name });
}

/** The same where nobody works on it; never waits. @returns whether it is the caller's until the transaction ends */
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
  gives: { isOurs: surely(flag) },
  text: 'select pg_try_advisory_xact_lock(hashtextextended($name, 0)) as is_ours',
});
