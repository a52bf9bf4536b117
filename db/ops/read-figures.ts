import type { EntityManager } from '@mikro-orm/postgresql';
import { readFeedState } from '../events/feed.ts';
import { readNights } from './nights.ts';
import { listFullestSequences, type SequenceUse } from './sequences.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import type { FeedState } from '../../domain/events.ts';
import { json } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** What the shop has open, as figures for a graph and an alarm: by indexes, and each count ends at a limit. */
export interface ShopFigures {
  uncertain: readonly RowFrom<typeof readUncertain>[];
  openReturns: readonly RowFrom<typeof readReturns>[];
  /** Store credit that refunds promised and that is not issued yet, by currency. */
  promised: readonly RowFrom<typeof readPromised>[];
  mails: RowFrom<typeof readMails> | undefined;
  feed: FeedState;
  /** Undefined: the books were never checked. */
  books: RowFrom<typeof readBooks> | undefined;
  nights: Awaited<ReturnType<typeof readNights>>;
  /** The sequences that have used the largest share of their ids, the fullest first. */
  sequences: readonly SequenceUse[];
}

/** A shop with more has other worries than the exact number. */
export const mostCounted = 10_000;

/** A series per sequence would be hundreds; an alert needs the fullest. */
export const maxSequences = 5;

/** Short statements one after the other, so that it takes one connection. */
export async function readFigures(em: EntityManager): Promise<ShopFigures> {
  const most = { most: mostCounted };
  const uncertain = await readUncertain.all(em);
  const openReturns = await readReturns.all(em, { statuses: openStatuses, ...most });
  const promised = await readPromised.all(em);
  const mails = await readMails.first(em, most);
  const feed = await readFeedState(em);
  const nights = await readNights(em);
  const sequences = await listFullestSequences(em, maxSequences);
  return { uncertain, openReturns, promised, mails, feed, nights, sequences, books: await readBooks.first(em) };
}

/** The sum is for a graph: what is owed to whom stands in the books, to the cent. */
const readUncertain = sql('read-figures.readUncertain')`
  select currency_code as currency, count(*) as count, sum(amount)::float8 as sum,
    extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest_seconds
  from refund_attempt where state = 'uncertain' group by currency_code order by currency_code`;

const readPromised = sql('read-figures.readPromised')`
  select currency_code as currency, count(*) as count, sum(amount)::float8 as sum,
    extract(epoch from clock_timestamp() - min(since))::float8 as oldest_seconds
  from store_credit_promise group by currency_code order by currency_code`;

const readReturns = sql('read-figures.readReturns')`
  select s.status, (select count(*) from (select 1 from sale_return r where r.status = s.status
    limit $most) n) as count
  from unnest($statuses::text[]) s(status)`;

const readMails = sql('read-figures.readMails')`
  select (select count(*) from (select 1 from mail_outbox where state = 'waiting' limit $most) n) as waiting,
    greatest(0, coalesce((select extract(epoch from clock_timestamp() - min(due_at))
      from mail_outbox where state = 'waiting'), 0))::float8 as oldest_seconds`;

const readBooks = sql('read-figures.readBooks', { gives: { findings: json<{ id: string; rows: number }[]>() } })`
  select extract(epoch from clock_timestamp() - checked_at)::float8 as age_seconds, findings, rules
  from books_check order by checked_at desc limit 1`;
