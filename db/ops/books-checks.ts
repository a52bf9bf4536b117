import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, text } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { BooksCheck } from './ops.entity.ts';

/** Two months of nights, and some checks of the day. */
const mostStored = 100;

export interface NewCheck {
  checkedBy: string;
  rules: number;
  findings: { id: string; sentence: string; rows: number }[];
}

const keep = statement({
  takes: { checkedBy: text, rules: integer, findings: json<NewCheck['findings']>(), mostKept: integer },
  text: `
    with old as (
      delete from books_check where check_id in (
        select check_id from books_check order by checked_at desc offset $mostKept))
    insert into books_check (checked_by, rules, findings) values ($checkedBy, $rules, $findings)`,
});

/** Keeps what a check of the books found; each call keeps one more, and the oldest go. */
export const keepCheck = (em: EntityManager, check: NewCheck): Promise<number> =>
  keep.run(em, { ...check, mostKept: mostStored });

const last = statement({
  takes: { most: integer },
  gives: of(BooksCheck, 'checkId', 'checkedAt', 'checkedBy', 'rules', 'findings'),
  text: `
    select check_id, checked_at, checked_by, rules, findings from books_check order by checked_at desc limit $most`,
});

/** The newest first. */
export const lastChecks = (em: EntityManager, most: number): Promise<RowFrom<typeof last>[]> => last.all(em, { most });
