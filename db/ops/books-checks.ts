import type { EntityManager } from '@mikro-orm/postgresql';
import { json } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { type KeptFinding } from './ops.entity.ts';

/** Two months of nights, and some checks of the day. */
const mostStored = 100;

export interface NewCheck {
  checkedBy: string;
  /** Of a night's run; absent where a person asked. */
  runKey?: string;
  rules: number;
  findings: readonly { id: string; sentence: string; rows: KeptFinding['first'] }[];
}

const keep = sql('books-checks.keep', { takes: { findings: json<KeptFinding[]>() } })`
  with old as (
    delete from books_check where check_id in (
      select check_id from books_check order by checked_at desc offset $mostKept))
  insert into books_check (checked_by, run_key, rules, findings) values ($checkedBy, $runKey?, $rules, $findings)
  on conflict (run_key) do nothing`;

/** So many rows of a broken rule tell what is wrong; `pos verify` shows more. */
const rowsStored = 10;

/**
 * Keeps what a check of the books found, how many rows of each rule and the first of them, one line of each run of a
 * night; the oldest go.
 */
export const keepCheck = (em: EntityManager, { runKey, findings, ...check }: NewCheck): Promise<number> =>
  keep.run(em, {
    ...check,
    runKey: runKey ?? null,
    findings: findings.map(({ id, sentence, rows }) => ({
      ...{ id, sentence, rows: rows.length },
      first: rows.slice(0, rowsStored),
    })),
    mostKept: mostStored,
  });

const last = sql('books-checks.last')`
  select check_id, checked_at, checked_by, rules, findings from books_check order by checked_at desc limit $most`;

/** The newest first. */
export const lastChecks = (em: EntityManager, most: number): Promise<RowFrom<typeof last>[]> => last.all(em, { most });
