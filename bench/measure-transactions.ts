import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { capturePayment } from '../db/layaways/capture-payment.ts';
import { createOrm } from '../db/orm.ts';
import { addEntry } from '../db/store-credit/add-entry.ts';
import { nameStatements } from '../db/support/name-statements.ts';
import { money } from '../domain/money.ts';
import { customerOf, layawayOf } from './money-shop.ts';
import type { Recorded } from './replay.ts';
import { noteStatements } from './support.ts';

export interface TransactionsInput {
  orm: MikroORM;
  databaseUrl: string;
  rounds: number;
  seconds: number;
  say: (line: string) => void;
}

export interface Pace {
  perSecond: number;
  /** Processor time of one transaction. */
  cpuMs: number;
}

export interface TransactionMeasured {
  name: string;
  statements: number;
  rounds: { ours: Pace; bare: Pace }[];
  /** At least this share of the bare statements' throughput, or so many per second. */
  atLeast?: number;
  perSecond?: number;
}

interface Case extends Pick<TransactionMeasured, 'name' | 'atLeast' | 'perSecond'> {
  /** The row that the n-th transaction locks. */
  subjectOf: (n: number) => number;
  /** The transaction, with its own key. */
  work: (orm: MikroORM, subject: number, key: string) => Promise<unknown>;
}

const clients = 8;

/** As many clients at once as each side has connections. */
const capture: Case['work'] = (orm, orderId, operationKey) =>
  capturePayment(orm.em, {
    orderId,
    amount: money('0.01'),
    paymentMethod: 'cash',
    reference: null,
    beginBefore: 'infinity',
    operationKey,
  });

const move =
  (operation: 'credit' | 'debit'): Case['work'] =>
  (orm, customerId, idempotencyKey) => {
    const entry = { customerId, websiteId: 1, amount: money('0.01'), reason: 'bench', source: null, actor: {} };
    return addEntry(orm.em, { ...entry, operation, idempotencyKey });
  };

const cases: readonly Case[] = [
  { name: 'layaway capture', atLeast: 0.5, subjectOf: layawayOf, work: capture },
  { name: 'layaway capture, one order', perSecond: 500, subjectOf: () => layawayOf(0), work: capture },
  { name: 'wallet credit', subjectOf: customerOf, work: move('credit') },
  { name: 'wallet debit', subjectOf: customerOf, work: move('debit') },
  { name: 'wallet credit, one wallet', perSecond: 1_000, subjectOf: () => customerOf(0), work: move('credit') },
  { name: 'wallet debit, one wallet', perSecond: 1_000, subjectOf: () => customerOf(0), work: move('debit') },
];

let count = 900_000_000;

/** Money transactions alone, beside the same statements sent by `pg`, alternating in one process. */
export async function measureTransactions(input: TransactionsInput): Promise<TransactionMeasured[]> {
  const pool = new pg.Pool({ connectionString: input.databaseUrl, max: clients });
  nameStatements(pool);
  try {
    const measured: TransactionMeasured[] = [];
    for (const one of cases) measured.push(await measure(input, one, pool));
    return measured;
  } finally {
    await pool.end();
  }
}

async function measure({ orm, databaseUrl, rounds, seconds, say }: TransactionsInput, one: Case, pool: pg.Pool) {
  const { work, subjectOf, ...about } = one;
  const { recorded, subject, key } = await record(databaseUrl, one);
  const next = { ours: () => [subjectOf(count), `k${count++}`] as const };
  const ours = () => work(orm, ...next.ours());
  const bare = () => replay(pool, recorded, new Map<unknown, unknown>(sameWith({ subject, key }, next.ours())));
  const done: TransactionMeasured['rounds'] = [];
  for (let round = 0; round <= rounds; round++) {
    const paces = { ours: await paceOf(ours, seconds), bare: await paceOf(bare, seconds) };
    if (round === 0) continue;
    done.push(paces);
    const [mine, theirs] = [Math.round(paces.ours.perSecond), Math.round(paces.bare.perSecond)];
    say(`  ${about.name}, round ${round}: ${mine} beside ${theirs} a second`);
  }
  return { ...about, statements: recorded.length, rounds: done };
}

/** On separate connections: existing ones are not recorded. */
async function record(databaseUrl: string, { work, subjectOf }: Case) {
  const recorded: Recorded[] = [];
  const [subject, key] = [subjectOf(count), `k${count++}`];
  const stop = noteStatements((sent) => recorded.push(sent));
  const orm = await createOrm(databaseUrl);
  try {
    await work(orm, subjectOf(count), `k${count++}`);
    // Statements that a connection sends once are not part of the transaction.
    recorded.length = 0;
    await work(orm, subject, key);
  } finally {
    await orm.close();
    stop();
  }
  return { recorded, subject, key };
}

const sameWith = (was: { subject: number; key: string }, [subject, key]: readonly [number, string]) => [
  [was.subject, subject] as const,
  [was.key, key] as const,
];

/** A wallet's running sum depends on the entry before: the only value that is computed again. */
const runningSum = {
  of: 'insert into store_credit_entry',
  written: 'values ($1, $2, $3, $4,',
  anew: 'values ($1, $2, $3, coalesce((select amount + $3 from store_credit_wallet where wallet_id = $1), $4),',
};

async function replay(pool: pg.Pool, recorded: readonly Recorded[], changed: Map<unknown, unknown>): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { text, values, rows } of recorded) {
      const isEntry = text.includes(runningSum.of);
      const own = values.map((value) => changed.get(value) ?? value);
      const sent = isEntry ? text.replace(runningSum.written, runningSum.anew) : text;
      const answer = own.length === 0 ? await client.query(sent) : await client.query(sent, own);
      noteId(changed, rows[0], answer.rows?.[0]);
    }
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** A wallet's id is known from the lock: later statements use it. */
function noteId(changed: Map<unknown, unknown>, was: unknown, is: unknown): void {
  if (typeof was !== 'object' || was === null || typeof is !== 'object' || is === null) return;
  if ('wallet_id' in was && 'wallet_id' in is) changed.set(was.wallet_id, is.wallet_id);
}

async function paceOf(work: () => Promise<unknown>, seconds: number): Promise<Pace> {
  const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
  const until = start + seconds * 1_000;
  let done = 0;
  const client = async () => {
    while (performance.now() < until) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond: (done * 1_000) / (performance.now() - start), cpuMs: (user + system) / 1_000 / done };
}
