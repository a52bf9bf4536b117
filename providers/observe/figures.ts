import type { EntityManager } from '@mikro-orm/postgresql';
import { Gauge, type Registry } from 'prom-client';
import { readFigures, type ShopFigures } from '../../db/ops/read-figures.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';

/** However many scrape, the database is asked no oftener. */
const readEveryMs = 15_000;

/** A scrape waits no longer for figures; then it gets those of the last read. */
const patienceMs = 3_000;

export interface FiguresParts {
  registry: Registry;
  em: () => EntityManager;
  log: Pick<Log, 'warn'>;
  /** In ms; absent: the process's own clock. */
  clock?: () => number;
}

/**
 * The figures of the shop as gauges: refunds in doubt, open returns, mails, events, the last check of the books. The
 * workers serve them, all the same ones: a rule takes the `max`, not the `sum`.
 *
 * @returns what reads them anew where the last read is old; call it before a scrape. It never fails: of a read that did,
 *   `pos_figures_read_success` tells.
 */
export function measureFigures({
  registry,
  em,
  log,
  clock = () => performance.now(),
}: FiguresParts): () => Promise<void> {
  const gauges = gaugesOf(registry);
  let readAt = -Infinity;
  let underWay: Promise<void> | undefined;
  let hasFailed = false;

  const read = async () => {
    const startedAt = performance.now();
    try {
      tell(gauges, await readFigures(em()));
      gauges.success.set(1);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn({ error }, 'the figures of the shop cannot be read');
      gauges.success.set(0);
      hasFailed = true;
    }
    gauges.duration.set((performance.now() - startedAt) / 1_000);
  };
  return async () => {
    if (underWay === undefined && clock() - readAt >= readEveryMs) {
      readAt = clock();
      underWay = read().finally(() => (underWay = undefined));
    }
    // What is late is seen by the next scrape.
    if (underWay) await inTime(underWay, new Date(Date.now() + patienceMs)).catch(() => undefined);
  };
}

type Gauges = ReturnType<typeof gaugesOf>;

function gaugesOf(registry: Registry) {
  const gauge = (name: string, help: string, ...labelNames: string[]) => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] });
    // Without labels it begins at 0, which nobody has read.
    if (labelNames.length === 0) made.remove();
    return made;
  };
  return {
    success: gauge(
      'pos_figures_read_success',
      '1 when the last read of the figures below succeeded, 0 when it failed.',
    ),
    duration: gauge('pos_figures_read_duration_seconds', 'How long the last read of the figures took.'),
    uncertain: gauge('pos_refunds_uncertain', 'Refunds of which nobody knows whether the money went back.', 'currency'),
    uncertainSum: gauge('pos_refunds_uncertain_amount', 'Their sum, in units of the currency.', 'currency'),
    uncertainOldest: gauge('pos_refunds_uncertain_oldest_seconds', 'The age of the oldest of them.', 'currency'),
    promised: gauge(
      'pos_store_credit_promised',
      'Orders whose refund promised store credit that is not issued yet.',
      'currency',
    ),
    promisedSum: gauge('pos_store_credit_promised_amount', 'Their sum, in units of the currency.', 'currency'),
    promisedOldest: gauge('pos_store_credit_promised_oldest_seconds', 'Age of the oldest of them.', 'currency'),
    returns: gauge('pos_returns_open', 'Returns that are not over; at most 10000 of each are counted.', 'status'),
    mails: gauge('pos_mails_waiting', 'Mails that wait to be sent; at most 10000 are counted.'),
    mailsOldest: gauge('pos_mails_oldest_due_seconds', 'For how long the mail that waits longest is due.'),
    eventsWithoutPlace: gauge('pos_events_without_place', 'Events that are in the books and not yet in the feed.'),
    eventsLag: gauge('pos_events_without_place_seconds', 'The age of the oldest of them.'),
    eventsHeld: gauge('pos_events_held_open_seconds', 'The age of the oldest open transaction that wrote.'),
    webhooksOverdue: gauge('pos_webhooks_overdue_seconds', 'For how long the webhook that waits longest is due.'),
    webhooksFailing: gauge('pos_webhook_endpoints_failing', 'Endpoints that took nothing for an hour.'),
    webhooksPaused: gauge('pos_webhook_endpoints_paused', 'Endpoints that were paused, as they took nothing.'),
    findings: gauge('pos_books_findings', 'Rules of the books that the last check found broken.'),
    findingRows: gauge('pos_books_finding_rows', 'Rows that the last check found against a rule.', 'rule'),
    nightAge: gauge('pos_night_age_seconds', 'How long ago the work of each night was last done.', 'night'),
    sequenceUse: gauge(
      'pos_sequence_used_ratio',
      'Used share of the ids of a sequence, from 0 to 1; only the five fullest sequences.',
      'sequence',
    ),
    booksAge: gauge('pos_books_last_check_age_seconds', 'How long ago the books were checked; absent: never.'),
  };
}

function tell(gauges: Gauges, figures: ShopFigures): void {
  const { uncertain, openReturns, promised, mails, feed, books, nights, sequences } = figures;
  for (const gauge of [gauges.uncertain, gauges.uncertainSum, gauges.uncertainOldest]) gauge.reset();
  for (const { currency, count, sum, oldestSeconds } of uncertain) {
    gauges.uncertain.set({ currency }, count);
    gauges.uncertainSum.set({ currency }, sum);
    gauges.uncertainOldest.set({ currency }, oldestSeconds);
  }
  for (const gauge of [gauges.promised, gauges.promisedSum, gauges.promisedOldest]) gauge.reset();
  for (const { currency, count, sum, oldestSeconds } of promised) {
    gauges.promised.set({ currency }, count);
    gauges.promisedSum.set({ currency }, sum);
    gauges.promisedOldest.set({ currency }, oldestSeconds);
  }
  for (const { status, count } of openReturns) gauges.returns.set({ status }, count);
  gauges.mails.set(mails?.waiting ?? 0);
  gauges.mailsOldest.set(mails?.oldestSeconds ?? 0);
  gauges.eventsWithoutPlace.set(feed.withoutPlace);
  gauges.eventsLag.set(feed.withoutPlaceSeconds);
  gauges.eventsHeld.set(feed.openSeconds ?? 0);
  gauges.webhooksOverdue.set(feed.overdueSeconds);
  gauges.webhooksFailing.set(feed.failingEndpoints);
  gauges.webhooksPaused.set(feed.pausedEndpoints);
  gauges.nightAge.reset();
  for (const { night, ageSeconds } of nights) gauges.nightAge.set({ night }, ageSeconds);
  gauges.sequenceUse.reset();
  for (const { sequence, usedShare } of sequences) gauges.sequenceUse.set({ sequence }, usedShare);
  gauges.findingRows.reset();
  gauges.booksAge.remove();
  gauges.findings.set(books?.findings.length ?? 0);
  for (const { id, rows } of books?.findings ?? []) gauges.findingRows.set({ rule: id }, rows);
  if (books) gauges.booksAge.set(books.ageSeconds);
}
