import type { Lane } from './lanes.ts';

/** How many connections a process has, and how long each may keep somebody waiting. */
export interface DatabaseLimits {
  connections: number;
  /** To connect, and to wait for a connection that is free. */
  connectSeconds: number;
  /** For a lock that somebody else holds. */
  lockSeconds: number;
  /** For one statement, with its wait for locks. */
  statementSeconds: number;
  /** For a transaction that asks nothing: its locks are given up. */
  idleSeconds: number;
  /** Connections that are kept for a kind of work, whatever the other kinds do. */
  reserved?: Partial<Record<Lane, number>>;
}

/** For migrations, the operator's tool, seeds and tests: work that may take its time, but does not wait for ever. */
export const patientLimits: DatabaseLimits = {
  connections: 10,
  connectSeconds: 60,
  lockSeconds: 300,
  statementSeconds: 6 * 3_600,
  idleSeconds: 3_600,
};

/** A quiet wire is looked after, so that a machine that vanished is noticed. */
const keepAliveMs = 10_000;

/** The limits as a connection is opened with them: PostgreSQL reads them from the first message, without a round trip. */
export const connectionOptions = (limits: DatabaseLimits) => ({
  connectionTimeoutMillis: limits.connectSeconds * 1_000,
  lock_timeout: limits.lockSeconds * 1_000,
  statement_timeout: limits.statementSeconds * 1_000,
  idle_in_transaction_session_timeout: limits.idleSeconds * 1_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveMs,
});
