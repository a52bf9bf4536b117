import type { Pool, PoolClient } from 'pg';
import { createConnectionSlots } from './connection-slots.ts';
import type { DatabaseLimits } from './database-limits.ts';
import { DatabaseTrouble, sqlStates } from './database-trouble.ts';
import { guardClient } from './guard-client.ts';
import { laneNow } from './lanes.ts';

/** A server ends a slow statement by itself; one that is silent for longer does not respond. */
const graceMs = 1_000;

type Done = (error: unknown, client?: PoolClient, release?: (error?: Error | boolean) => void) => void;

/**
 * Sets limits on the way to the database: which work may have a connection, how long it waits for one, and how long a
 * statement may take. Every failure on the way becomes `DatabaseTrouble`.
 */
export function guardPool(pool: Pool, limits: DatabaseLimits): void {
  const slots = createConnectionSlots({
    size: limits.connections,
    waitMs: limits.connectSeconds * 1_000,
    reserved: limits.reserved ?? {},
  });
  const connect = pool.connect.bind(pool);

  const take = async (): Promise<PoolClient> => {
    const leave = await slots.take(laneNow());
    try {
      return lend(await connect(), leave);
    } catch (error) {
      leave();
      throw asAway(error);
    }
  };
  const takeFor = (done: Done) => {
    take().then((client) => done(undefined, client, (error) => client.release(error)), done);
  };

  pool.on('connect', (client) => guardClient(client, limits.statementSeconds * 1_000 + graceMs));
  Object.assign(pool, { connect: (done?: Done) => (done ? takeFor(done) : take()) });
}

/**
 * Lends a connection once: it comes back when it is released, or when it breaks. Without that, a transaction whose
 * `begin` or `commit` finds the connection broken would keep its place for ever, because the query builder releases
 * neither.
 */
function lend(client: PoolClient, leave: () => void): PoolClient {
  const release = client.release.bind(client);
  let isLent = true;
  const giveBack = (error?: Error | boolean) => {
    if (!isLent) return;
    isLent = false;
    client.removeListener('end', onEnd);
    release(error);
    leave();
  };
  const onEnd = () => giveBack(true);
  client.once('end', onEnd);
  return Object.assign(client, { release: giveBack });
}

/** An error with which the server refuses a connection keeps its own code. */
function asAway(error: unknown): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]+$/.test(code)) return error;
  return new DatabaseTrouble(sqlStates.cannotConnect, 'the database cannot be reached', { cause: error });
}
