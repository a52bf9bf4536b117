import { channel } from 'node:diagnostics_channel';
import { DeadlockException, type EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { AnswerTimeout } from './connections/guard-pool.ts';
import { nameOf } from './name-statements.ts';
import { attemptsAtDeadlock } from './transact.ts';

/** Publishes each text of ours that is sent, `{ text }`; what MikroORM writes is not among them. */
export const sqlSent = channel('pos:sql-sent');

/**
 * Sends a text with its values, in the caller's transaction where there is one; errors are the ORM's own exceptions.
 *
 * Alone, a statement that a deadlock ended is sent again: nothing of it is left. A read of two tables meets one where a
 * migration changes both.
 */
export async function send<Row>(em: EntityManager, text: string, values: readonly unknown[]) {
  if (sqlSent.hasSubscribers) sqlSent.publish({ text });
  for (let attempt = 1; ; attempt++) {
    try {
      return await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...values]));
    } catch (thrown) {
      const error = asOrmSays(em, thrown);
      if (!(error instanceof DeadlockException) || em.isInTransaction() || attempt >= attemptsAtDeadlock) throw error;
    }
  }
}

/** A text with a shorter timeout than others. */
export interface TimedText extends Required<AnswerTimeout> {
  text: string;
  values: readonly unknown[];
}

/** The same outside any transaction, on a connection that is given up when the answer takes too long. */
export async function sendWithTimeout<Row extends object>(
  em: EntityManager,
  { text, values, answerWithinMs }: TimedText,
) {
  if (sqlSent.hasSubscribers) sqlSent.publish({ text });
  const pool = await em.getConnection().getNativeClient();
  const name = nameOf(text);
  try {
    const { rows, rowCount } = await pool.query<Row>({
      ...{ text, values: [...values], answerWithinMs },
      ...(name === undefined ? {} : { name }),
    });
    return { rows, numAffectedRows: rowCount };
  } catch (error) {
    throw asOrmSays(em, error);
  }
}

const asOrmSays = (em: EntityManager, error: unknown) =>
  error instanceof Error ? em.getPlatform().getExceptionConverter().convertException(error) : error;
