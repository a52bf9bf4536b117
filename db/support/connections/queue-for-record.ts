import type { EntityManager } from '@mikro-orm/postgresql';
import { perDatabase } from '../per-database.ts';
import { DatabaseTrouble, sqlStates } from './database-trouble.ts';

/** The most connections of a process that wait for the same record. */
const mostWaiting = 2;

/**
 * Enough connections wait for a record already: the transaction gives its connection back and starts again in its
 * turn, which `transact` arranges.
 */
export class QueueFull extends DatabaseTrouble {
  readonly key: string;

  constructor(key: string) {
    super(sqlStates.lockNotAvailable, `too many wait for ${key}`);
    this.key = key;
  }
}

/**
 * Waits for the lock of a record as one of few. When two wait already, it fails at once with `QueueFull`.
 *
 * The holder of the lock may ask for it again.
 *
 * @param key the record, `order 5`
 */
export async function queueForRecord<Result>(
  em: EntityManager,
  key: string,
  lock: () => Promise<Result>,
): Promise<Result> {
  const line = lineOf(em);
  const holder: object = em.getTransactionContext() ?? {};
  if (line.holds(holder, key)) return lock();
  if (!line.enter(key)) throw new QueueFull(key);
  try {
    const result = await lock();
    line.note(holder, key);
    return result;
  } finally {
    line.leave(key);
  }
}

/**
 * Waits, without a connection, until fewer callers wait for that record. Fails with `55P03` when that takes too long.
 */
export const waitForTurn = (em: EntityManager, key: string, patienceMs: number): Promise<void> =>
  lineOf(em).turn(key, patienceMs);

/** Passes the turn on when its caller never reached the lock. */
export const admitNext = (em: EntityManager, key: string): void => lineOf(em).pass(key);

const lineOf = perDatabase(createLine);

function createLine() {
  const waiting = new Map<string, number>();
  const turns = new Map<string, (() => void)[]>();
  const held = new WeakMap<object, Set<string>>();

  const pass = (key: string) => {
    const line = turns.get(key);
    if (!line || (waiting.get(key) ?? 0) >= mostWaiting) return;
    line.shift()?.();
    if (line.length === 0) turns.delete(key);
  };
  return {
    pass,
    holds: (holder: object, key: string) => held.get(holder)?.has(key) === true,
    note(holder: object, key: string) {
      const keys = held.get(holder) ?? new Set();
      held.set(holder, keys.add(key));
    },
    enter(key: string): boolean {
      const count = waiting.get(key) ?? 0;
      if (count >= mostWaiting) return false;
      waiting.set(key, count + 1);
      return true;
    },
    leave(key: string) {
      const count = (waiting.get(key) ?? 1) - 1;
      if (count > 0) waiting.set(key, count);
      else waiting.delete(key);
      pass(key);
    },
    turn: (key: string, patienceMs: number) =>
      new Promise<void>((resolve, reject) => {
        if ((waiting.get(key) ?? 0) < mostWaiting) return resolve();
        const line = turns.get(key) ?? [];
        turns.set(key, line);
        const called = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          line.splice(line.indexOf(called), 1);
          if (line.length === 0) turns.delete(key);
          reject(new QueueFull(key));
        }, patienceMs);
        line.push(called);
      }),
  };
}
