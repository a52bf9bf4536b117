import type { Lane } from './lanes.ts';

/** How many connections a process has, and how long a caller may wait for each step. */
export interface DatabaseLimits {
  connections: number;
  /** To connect, and to wait for a free connection. */
  connectSeconds: number;
  /** For a lock that another transaction holds. */
  lockSeconds: number;
  /** For one statement, including its wait for locks. */
  statementSeconds: number;
  /** For an idle transaction: it is ended and its locks are released. */
  idleSeconds: number;
  /** Connections reserved for a kind of work, whatever the other kinds do. */
  reserved?: Partial<Record<Lane, number>>;
}

/** For migrations, the operator's tool, seeds and tests: longer, but not unlimited. */
export const patientLimits: DatabaseLimits = {
  connections: 10,
  connectSeconds: 60,
  lockSeconds: 300,
  statementSeconds: 6 * 3_600,
  idleSeconds: 3_600,
};

/** An idle connection sends keep-alive packets, so that a vanished machine is noticed. */
const keepAliveMs = 10_000;

/**
 * The limits as start-up parameters of a connection: PostgreSQL reads them from the first message, without a round
 * trip.
 */
export const connectionOptions = (limits: DatabaseLimits) => ({
  connectionTimeoutMillis: limits.connectSeconds * 1_000,
  lock_timeout: limits.lockSeconds * 1_000,
  statement_timeout: limits.statementSeconds * 1_000,
  idle_in_transaction_session_timeout: limits.idleSeconds * 1_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveMs,
});
