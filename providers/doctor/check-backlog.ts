import type { EntityManager } from '@mikro-orm/postgresql';
import { count as counted, decimal, integer, orNull, surely } from '../../db/support/kinds.ts';
import { statement } from '../../db/support/statement.ts';
import { ok, warning, type Check, type DoctorContext } from './check.ts';

/** Typing errors never reach this number; the waiting times permit at most sixty before the count starts again. */
const manyFailures = 20;

/** Work that waits for a person: uncertain refunds, addresses with many wrong guesses, endpoints that take no events. */
export async function checkBacklog({ em: connect }: DoctorContext): Promise<Check[]> {
  try {
    const em = await connect();
    return [await uncertain(em), await layaways(em), await guesses(em), await events(em)];
  } catch {
    // Without a database there is nothing to report here; the database's own line gives the reason.
    return [];
  }
}

async function uncertain(em: EntityManager): Promise<Check> {
  const { count = 0, hours = null } = (await readUncertain.first(em)) ?? {};
  return count === 0
    ? ok('refunds', 'none is uncertain')
    : warning('refunds', `${count} uncertain, the oldest for ${hours ?? '?'} h`, 'npm run pos -- refunds uncertain');
}

/** An overdue layaway concerns the shop; one without a workflow concerns us. */
async function layaways(em: EntityManager): Promise<Check> {
  const { stale = 0, alone = 0 } = (await readLayaways.first(em)) ?? {};
  return alone === 0
    ? ok('layaways', `${stale} overdue, all have a workflow`)
    : warning(
        'layaways',
        `${alone} without a workflow for two hours`,
        'check that a worker runs: schedule expire-layaways starts them each hour',
      );
}

async function guesses(em: EntityManager): Promise<Check> {
  const { count = 0 } = (await readGuesses.first(em, { failures: manyFailures })) ?? {};
  return count === 0
    ? ok('sign-in', 'no passcode is being guessed')
    : warning(
        'sign-in',
        `${count} addresses with more than ${manyFailures} failures`,
        'look at the network the registers are in',
      );
}

/** An event gets its place when somebody reads the feed, and each minute; longer means that no worker runs. */
async function events(em: EntityManager): Promise<Check> {
  const { late = 0, failing = 0, paused = 0 } = (await readEvents.first(em)) ?? {};
  if (late > 0) return warning('events', `${late} without a place in the feed`, 'check that a worker runs');
  return failing + paused === 0
    ? ok('events', 'every endpoint takes them')
    : warning('events', `${paused} endpoints paused, ${failing} failing`, 'npm run pos -- events endpoints');
}

const readEvents = statement({
  takes: {},
  gives: { late: surely(counted), failing: surely(counted), paused: surely(counted) },
  text: `
    select (select count(*) from pos_event where sequence is null and occurred_at < now() - interval '5 minutes') as late,
      (select count(*) from webhook_endpoint where state = 'on' and failing_since < now() - interval '1 hour') as failing,
      (select count(*) from webhook_endpoint where state = 'paused') as paused`,
});

const readUncertain = statement({
  takes: {},
  gives: { count: surely(counted), hours: orNull(decimal) },
  text: `
    select count(*) as count, round(extract(epoch from now() - min(created_at)) / 3600, 1) as hours
    from refund_attempt where state = 'uncertain'`,
});

const readLayaways = statement({
  takes: {},
  gives: { stale: surely(integer), alone: surely(integer) },
  text: `
    select count(*) filter (where pos_layaway_status = 'stale')::int as stale,
      count(*) filter (where pos_layaway_followed_at is null and created_at < now() - interval '2 hours')::int as alone
    from sales_order where pos_layaway_status in ('open', 'stale') and state <> 'canceled'`,
});

const readGuesses = statement({
  takes: { failures: integer },
  gives: { count: surely(counted) },
  text: 'select count(*) as count from pos_staff_login_failure where failures > $failures',
});
