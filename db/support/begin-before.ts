import type { EntityManager } from '@mikro-orm/postgresql';
import { beginWithinSeconds, longestTransactionSeconds } from '../../domain/patience.ts';
import { waitedTooLong } from '../../domain/refusals/platform.ts';
import { momentText } from './entity-columns.ts';
import { sql } from './sql.ts';

/**
 * The moment until which work of a request may begin, by the database's clock, as a text that PostgreSQL reads. Whoever
 * waits longer than that and the longest transaction finds in the row what happened.
 */
export async function beginBefore(em: EntityManager): Promise<string> {
  const row = await readMoment.first(em, { beginWithinSeconds });
  if (!row) throw new Error('the database has no clock');
  return row.moment;
}

/** The same as an expression, for a statement that reads more. Its parameter is `beginWithinSeconds`. */
export const beginBeforeSql = `(clock_timestamp() + make_interval(secs => $beginWithinSeconds))::text`;

const readMoment = sql('begin-before.readMoment')`select ${beginBeforeSql} as moment`;

/**
 * 503 where the moment has passed: nobody waits for this work any more, and what its caller was told must stay true.
 *
 * Call it in the transaction, after its lock, and after what a repeat of the same operation finds done. From then on
 * PostgreSQL ends the transaction after the longest time that one may take: what has not been committed by then never
 * is.
 */
export async function refuseTooLate(em: EntityManager, moment: string): Promise<void> {
  const row = await isPast.first(em, { moment });
  if (row?.isPast === true) throw tooLate();
}

/** The same for a statement that reads more: the column `is_past`, where `$moment` is a parameter. */
export const isPastSql = `set_config('transaction_timeout', '${longestTransactionSeconds}s', true) is not null
  and clock_timestamp() > $moment::timestamptz as is_past`;

/** 503: nothing was done, and nothing will be. */
export const tooLate = () => waitedTooLong();

const isPast = sql('begin-before.isPast', { takes: { moment: momentText } })`select ${isPastSql}`;
