import { p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { float, definite } from './entity-columns.ts';
import { statement } from './statement.ts';

/** The database's time at a moment of this process, and by how much it may be wrong; in milliseconds. */
interface Reading {
  databaseMs: number;
  at: number;
  error: number;
}

/** A clock gains or loses less. */
const driftPerMs = 0.0005;
const readEveryMs = 10_000;

/** One for the process, as its own clock is: hooks of entities have no other way to it. */
let reading: Reading | undefined;

/**
 * The present moment as the database would tell it. A moment that is stored, or compared with a stored one, is by this
 * clock: the machine's own may be days off, and would free keys or end sessions. Where nobody has read the database's
 * clock, and where both agree as far as can be told, it is the machine's.
 */
export function shopNow(): Date {
  if (reading === undefined) return new Date();
  const now = databaseMsAt(reading, performance.now());
  return new Date(Math.abs(now - Date.now()) <= errorOf(reading, performance.now()) ? Date.now() : now);
}

/** Reads the database's clock; of several readings the most exact one counts, until it is old or the clock was set. */
async function readShopClock(em: EntityManager): Promise<void> {
  const sent = performance.now();
  const row = await selectShopClock.first(em);
  const got = performance.now();
  if (row === undefined) return;
  const fresh: Reading = { databaseMs: row.nowMs, at: (sent + got) / 2, error: (got - sent) / 2 + 1 };
  if (reading === undefined || isBetter(fresh, reading)) reading = fresh;
}

/**
 * Reads it now and then, until this is over. A failure leaves the last reading, which the process's steady clock
 * carries on.
 *
 * @returns ends it, and waits for a reading under way: closing the database in the middle of one would wait for ever
 */
export function keepShopClock(em: () => EntityManager): () => Promise<void> {
  let underWay = Promise.resolve();
  const look = () => {
    underWay = readShopClock(em()).catch(() => undefined);
  };
  const timer = setInterval(look, readEveryMs).unref();
  look();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}

const databaseMsAt = ({ databaseMs, at }: Reading, moment: number) => databaseMs + (moment - at);

const errorOf = ({ error, at }: Reading, moment: number) => error + Math.abs(moment - at) * driftPerMs;

function isBetter(fresh: Reading, old: Reading): boolean {
  const error = errorOf(old, fresh.at);
  const wasSet = Math.abs(databaseMsAt(old, fresh.at) - fresh.databaseMs) > error + fresh.error;
  return wasSet || fresh.error <= error;
}

const selectShopClock = statement({
  answerWithinMs: 3_000,
  takes: {},
  gives: { nowMs: definite(float) },
  text: 'select extract(epoch from clock_timestamp())::double precision * 1000 as now_ms',
});

/** Created and updated, in UTC, by the database's clock. */
export const timestamps = {
  createdAt: p
    .datetime(6)
    .defaultRaw('now()')
    .onCreate(() => shopNow()),
  updatedAt: p
    .datetime(6)
    .defaultRaw('now()')
    .onCreate(() => shopNow())
    .onUpdate(() => shopNow()),
};
