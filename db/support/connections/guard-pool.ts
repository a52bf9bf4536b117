import { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { DatabaseTrouble, sqlStates, troubleNamed } from './database-trouble.ts';
import { laneNow, lanes, type Lane } from './lanes.ts';

/** How the places of a pool are used at this moment, by kind of work, and what was sent since the start. */
export interface PoolUsage {
  size: number;
  taken: Readonly<Record<Lane, number>>;
  waiting: Readonly<Record<Lane, number>>;
  statements: number;
  statementSeconds: number;
}

/** The connections of a process, as places to take and give back. */
export interface ConnectionSlots {
  usage(): Pick<PoolUsage, 'size' | 'taken' | 'waiting'>;
  /**
   * Waits for a place and returns the function that gives it back. Fails with `53300` when none became free in time.
   */
  take(lane: Lane): Promise<() => void>;
}

export interface ConnectionSlotsParts {
  size: number;
  waitMs: number;
  reserved: Partial<Record<Lane, number>>;
}

interface Waiting {
  lane: Lane;
  admit: (leave: () => void) => void;
  timer: NodeJS.Timeout;
}

/**
 * Shares places among kinds of work. Each kind may take any free place, except those that another kind has reserved
 * and does not use now. Within a kind, first come, first served.
 */
export function createConnectionSlots({ size, waitMs, reserved }: ConnectionSlotsParts): ConnectionSlots {
  const taken: Record<Lane, number> = { health: 0, 'sign-in': 0, read: 0, write: 0 };
  let waiting: Waiting[] = [];

  const hasRoom = (lane: Lane) => {
    const promised = lanes.map((one) => (one === lane ? taken[one] : Math.max(taken[one], reserved[one] ?? 0)));
    return promised.reduce((sum, one) => sum + one, 0) < size;
  };
  const enter = (lane: Lane) => {
    taken[lane]++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken[lane]--;
      admit();
    };
  };
  /** The longest waiting caller that finds a place; one place given back admits at most one. */
  const admit = () => {
    const next = waiting.find(({ lane }) => hasRoom(lane));
    if (!next) return;
    waiting = waiting.filter((one) => one !== next);
    clearTimeout(next.timer);
    next.admit(enter(next.lane));
  };

  return {
    usage() {
      const count = (lane: Lane) => waiting.filter((one) => one.lane === lane).length;
      return {
        ...{ size, taken: { ...taken } },
        waiting: { health: count('health'), 'sign-in': count('sign-in'), read: count('read'), write: count('write') },
      };
    },
    take(lane) {
      if (hasRoom(lane) && !waiting.some((one) => one.lane === lane)) return Promise.resolve(enter(lane));
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting = waiting.filter((one) => one.timer !== timer);
          reject(
            new DatabaseTrouble(sqlStates.noConnectionFree, `no connection became free in ${waitMs} ms (${lane})`),
          );
        }, waitMs);
        waiting.push({ lane, admit: resolve, timer });
      });
    },
  };
}

/** A statement's own limits, beside what the driver reads. */
export interface AnswerTimeout {
  /** After so long without an answer the connection is given up. */
  answerWithinMs?: number;
}

/**
 * Watches every statement of a connection. When the answer takes too long, the server does not respond and cannot end
 * the statement itself. Then the connection is destroyed on our side, so that its pool never lends it again.
 */
function guardClient(client: PoolClient, silenceMs: number, tellTime: (ms: number) => void): void {
  const send = client.query.bind(client);
  const sendWatched = (input: readonly unknown[], done: Done): unknown => {
    const [request] = input;
    const sent: Sent = { text: textOf(request), status: client.getTransactionStatus() };
    const patienceMs = Math.min(silenceMs, hasteOf(request));
    const watch = setTimeout(() => breakOff(client, patienceMs), patienceMs);
    const sentAt = performance.now();
    const tell = (error: unknown, result: unknown) => {
      clearTimeout(watch);
      tellTime(performance.now() - sentAt);
      done(error && asTrouble(error, sent), result);
    };
    return Reflect.apply(send, client, [...input, tell]);
  };
  const sendGuarded = (...posted: unknown[]): unknown => {
    const done: unknown = posted.at(-1);
    if (typeof done === 'function')
      return sendWatched(posted.slice(0, -1), (...answer) => Reflect.apply(done, undefined, answer));
    // With a callback: the driver's own promise keeps each query alive until a full collection.
    return new Promise((resolve, reject) => {
      sendWatched(posted, (error, result) => (error ? reject(error) : resolve(result)));
    });
  };
  Object.assign(client, { query: sendGuarded });
}

type Done = (error: unknown, result: unknown) => void;

interface Sent {
  text: string;
  /** `I`: outside a transaction, where each statement commits by itself. */
  status: unknown;
}

const textOf = (request: unknown) => {
  const text: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, 'text') : request;
  return typeof text === 'string' ? text : '';
};

function hasteOf(request: unknown): number {
  const within: unknown =
    typeof request === 'object' && request !== null ? Reflect.get(request, 'answerWithinMs') : undefined;
  return typeof within === 'number' ? within : Infinity;
}

function breakOff(client: PoolClient, afterMs: number): void {
  const { stream }: { stream: unknown } = Object(Reflect.get(client, 'connection'));
  const silence = new DatabaseTrouble(sqlStates.connectionLost, `the database did not answer for ${afterMs} ms`);
  if (stream instanceof Duplex) stream.destroy(silence);
}

/** The messages of the driver and the system for a lost connection. */
const lostWords =
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|Query read timeout)/;

function isLost(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code');
  return troubleNamed(code) === 'away' || lostWords.test(error.message) || /^E[A-Z]+$/.test(String(code));
}

/** Turns a lost connection into a failure, by whether a commit could have happened; every other error is unchanged. */
function asTrouble(error: unknown, sent: Sent): unknown {
  if (!(error instanceof Error) || !isLost(error)) return error;
  return mayHaveCommitted(sent)
    ? new DatabaseTrouble(sqlStates.outcomeUnknown, 'the connection was lost while a change was committed', {
        cause: error,
      })
    : new DatabaseTrouble(sqlStates.connectionLost, 'the connection to the database was lost', { cause: error });
}

const commit = /^\s*commit\b/i;
const reads = /^(?:select|show|set|begin|start|rollback)/i;
const writes = /\b(?:insert|update|delete|merge)\b/i;

/** The text after its leading comments. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  for (let end = rest.indexOf('*/'); rest.startsWith('/*') && end >= 0; end = rest.indexOf('*/'))
    rest = rest.slice(end + 2).trimStart();
  return rest;
}

function readsOnly(text: string): boolean {
  const statement = withoutComments(text);
  return reads.test(statement) || (/^with\b/i.test(statement) && !writes.test(statement));
}

const mayHaveCommitted = ({ text, status }: Sent) =>
  commit.test(text) || ((status === 'I' || status === null) && text !== '' && !readsOnly(text));

/** A server ends a slow statement by itself; one that is silent for longer does not respond. */
const graceMs = 1_000;

type GuardPoolDone = (error: unknown, client?: PoolClient, release?: (error?: Error | boolean) => void) => void;

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
  const sent = { statements: 0, statementSeconds: 0 };
  const tellTime = (ms: number) => {
    sent.statements++;
    sent.statementSeconds += ms / 1_000;
  };
  limits.watch?.(() => ({ ...slots.usage(), ...sent }));

  const take = async (): Promise<PoolClient> => {
    const leave = await slots.take(laneNow());
    try {
      return lend(await connect(), leave);
    } catch (error) {
      leave();
      throw asAway(error);
    }
  };
  const takeFor = (done: GuardPoolDone) => {
    take().then((client) => done(undefined, client, (error) => client.release(error)), done);
  };

  pool.on('connect', (client) => guardClient(client, limits.statementSeconds * 1_000 + graceMs, tellTime));
  Object.assign(pool, { connect: (done?: GuardPoolDone) => (done ? takeFor(done) : take()) });
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
  /** Gets, when the pool is made, what tells how it is used. */
  watch?: (usage: () => PoolUsage) => void;
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
