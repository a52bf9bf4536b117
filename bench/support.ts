import { readdirSync, readFileSync } from 'node:fs';
import type { EntityManager, ForkOptions } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Recorded } from './replay.ts';

/**
 * How many blocks of tables and indexes the database reads for the queries of some work: unlike time, the same on
 * every machine. Each statement runs twice, the first time explained.
 */
export async function countBlocks<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
): Promise<{ result: Result; blocks: number }> {
  const kysely = em.getKysely();
  let blocks = 0;
  const counting: EntityManager = Object.assign(Object.create(em), {
    // A transaction on the side is no part of it; and these read private members, which what is derived does not have.
    fork: (options?: ForkOptions) => em.fork(options),
    isInTransaction: () => em.isInTransaction(),
    getKysely: () => ({
      executeQuery: async (query: CompiledQuery) => {
        blocks += await blocksOf(em, query);
        return kysely.executeQuery(query);
      },
    }),
  });
  const result = await work(counting);
  return { result, blocks };
}

async function blocksOf(em: EntityManager, { sql, parameters }: CompiledQuery): Promise<number> {
  const { rows } = await em
    .getKysely()
    .executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (analyze, buffers, timing off) ${sql}`, [...parameters]),
    );
  // The first line with buffers belongs to the whole plan.
  const line = rows.map((row) => row['QUERY PLAN']).find((text) => text.includes('Buffers: shared')) ?? '';
  return [...line.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The clock of `/proc` ticks a hundred times a second on common Linux systems. */
const msPerTick = 10;

/** Processor time of a process and its threads so far, in ms; undefined where the system does not provide it. */
export function cpuTimeMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything, so fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}

/** Of several processes together. */
export const cpuOf = (pids: readonly number[]): number =>
  pids.reduce((all, pid) => all + (cpuTimeMs(pid) ?? Number.NaN), 0);

/** Processor time of a PostgreSQL server with its children, both ended and running ones. */
export function databaseMs(postmaster: number): number {
  const ended = statOf(postmaster)?.ended ?? 0;
  const atWork = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => statOf(Number(name))?.parent === postmaster)
    .map(Number);
  return ended + cpuOf([postmaster]) + atWork.reduce((all, pid) => all + (cpuTimeMs(pid) ?? 0), 0);
}

function statOf(pid: number): { parent: number; ended: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name is in brackets and may contain spaces, so fields are read after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ended: (Number(fields[13]) + Number(fields[14])) * msPerTick };
  } catch {
    return undefined;
  }
}

type Send = (...input: unknown[]) => unknown;

/**
 * Reports every statement of this process, with its values and its rows, in the order of the answers.
 *
 * @returns a function that stops it
 */
export function noteStatements(note: (one: Recorded) => void): () => void {
  const send: Send = Reflect.get(pg.Client.prototype, 'query');
  Object.assign(pg.Client.prototype, { query: noting(send, note) });
  return () => Object.assign(pg.Client.prototype, { query: send });
}

const noting = (send: Send, note: (one: Recorded) => void) =>
  function record(this: pg.Client, ...input: unknown[]): unknown {
    const sent = sentBy(input);
    if (sent === undefined) return Reflect.apply(send, this, input);
    const whenDone = input.at(-1);
    if (typeof whenDone === 'function') {
      const done = (error: unknown, result: unknown) => {
        note({ ...sent, rows: rowsOf(result) });
        Reflect.apply(whenDone, undefined, [error, result]);
      };
      return Reflect.apply(send, this, [...input.slice(0, -1), done]);
    }
    const answer: unknown = Reflect.apply(send, this, input);
    if (!(answer instanceof Promise)) return answer;
    return answer.then((result: unknown) => {
      note({ ...sent, rows: rowsOf(result) });
      return result;
    });
  };

function sentBy([query, values]: unknown[]): Omit<Recorded, 'rows'> | undefined {
  if (typeof query === 'string') return { text: query, values: Array.isArray(values) ? values : [] };
  if (typeof query !== 'object' || query === null || !('text' in query)) return undefined;
  const own = 'values' in query && Array.isArray(query.values) ? query.values : [];
  return { text: String(query.text), values: Array.isArray(values) ? values : own };
}

const rowsOf = (result: unknown): unknown[] =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows) ? result.rows : [];

/** The present and the peak memory of a process, in MB; undefined where the system does not provide it. */
export function residentMemory(pid: number): { now: number; most: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
    return { now: read('VmRSS'), most: read('VmHWM') };
  } catch {
    return undefined;
  }
}

/** The median; for an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export const least = (values: readonly number[]) => Math.min(...values);
export const most = (values: readonly number[]) => Math.max(...values);

/** `1.04 (0.93–1.12)`: the median of the rounds, with their range. */
export const spread = (ratios: readonly number[]) =>
  `${median(ratios).toFixed(2)} (${least(ratios).toFixed(2)}–${most(ratios).toFixed(2)})`;
export const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
