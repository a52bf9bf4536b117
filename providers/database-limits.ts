import type { DatabaseLimits } from '../db/support/connections/guard-pool.ts';
import type { Settings } from './settings.ts';

/** Ten connections a process; see `ormOptions`. The worker has them in two pools. */
const connections = 10;
const batchConnections = 2;

/**
 * A step of a workflow has five seconds (`oneTransaction`), including the wait for a connection. A statement that
 * PostgreSQL still runs after that would collide with the step's next try.
 */
const longestStep = { connectSeconds: 2, lockSeconds: 2, statementSeconds: 4 };

const limitsOf = (settings: Settings) => ({
  connectSeconds: settings.DATABASE_CONNECT_SECONDS,
  lockSeconds: Math.min(settings.DATABASE_LOCK_SECONDS, settings.DATABASE_STATEMENT_SECONDS),
  statementSeconds: settings.DATABASE_STATEMENT_SECONDS,
  idleSeconds: settings.DATABASE_IDLE_SECONDS,
});

/** For the API. Health checks and sign-ins, reads, and writes each have connections of their own. */
export const apiLimits = (settings: Settings): DatabaseLimits => ({
  ...limitsOf(settings),
  connections,
  reserved: { health: 1, 'sign-in': 1, read: 2, write: 2 },
});

/** For the worker's steps that a caller waits for. */
export function stepLimits(settings: Settings): DatabaseLimits {
  const limits = limitsOf(settings);
  return {
    ...limits,
    connectSeconds: Math.min(limits.connectSeconds, longestStep.connectSeconds),
    lockSeconds: Math.min(limits.lockSeconds, longestStep.lockSeconds),
    statementSeconds: Math.min(limits.statementSeconds, longestStep.statementSeconds),
    connections: connections - batchConnections,
    reserved: { read: 2, write: 2 },
  };
}

/** For the check of the books, on a connection of its own: a rule reads tables whole, however many years they have. */
export const booksLimits = (settings: Settings): DatabaseLimits => ({
  ...batchLimits(settings),
  statementSeconds: 3_600,
  connections: 1,
});

/** For the worker's sweeps and nightly work. */
export const batchLimits = (settings: Settings): DatabaseLimits => ({
  ...limitsOf(settings),
  connectSeconds: settings.DATABASE_BATCH_SECONDS,
  statementSeconds: settings.DATABASE_BATCH_SECONDS,
  idleSeconds: settings.DATABASE_BATCH_SECONDS,
  connections: batchConnections,
});
