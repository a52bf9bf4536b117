import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { gathered, type Gathering } from '../../../db/support/gather.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => void (orm = await testDatabase()));
afterAll(() => orm.close());

const { fork } = booksOf(() => orm);

type Asked = (numbers: readonly number[]) => Promise<void>;

/** Notes what is asked together; answers twice the number, once it is told to. */
function countingHouse({ ask, ...how }: Partial<Omit<Gathering<number, number>, 'ask'>> & { ask?: Asked }) {
  const batches: number[][] = [];
  const double = gathered<number, number>({
    atMost: 100,
    ...how,
    async ask(_em, numbers) {
      batches.push([...numbers]);
      await ask?.(numbers);
      return numbers.map((number) => 2 * number);
    },
  });
  return { batches, double: (number: number) => double(fork(), number) };
}

const refused = (code: string) => Object.assign(new Error('refused'), { code });

/** A door that opens when it is told to. */
function door() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => void (open = resolve));
  return { open, opened };
}

async function untilAsked(batches: readonly unknown[]): Promise<void> {
  while (batches.length === 0) await new Promise(setImmediate);
}

test('who is alone is asked at once; who comes together is asked together, and each gets its own answer', async () => {
  const { batches, double } = countingHouse({});
  expect(await double(1)).toBe(2);
  expect(await Promise.all([double(2), double(3), double(4)])).toEqual([4, 6, 8]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test('who comes while others are being asked leaves with the rest, when these return', async () => {
  const first = door();
  const { batches, double } = countingHouse({ ask: ([number]) => (number === 1 ? first.opened : Promise.resolve()) });
  const one = double(1);
  await untilAsked(batches);
  const rest = [double(2), double(3)];
  first.open();
  expect(await Promise.all([one, ...rest])).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test('a statement that is stuck delays no other', async () => {
  const stuck = door();
  const { batches, double } = countingHouse({ ask: ([number]) => (number === 1 ? stuck.opened : Promise.resolve()) });
  const one = double(1);
  await untilAsked(batches);
  expect(await double(2)).toBe(4);
  stuck.open();
  expect(await one).toBe(2);
});

test('no statement takes more than it may', async () => {
  const { batches, double } = countingHouse({ atMost: 3 });
  const numbers = Array.from({ length: 8 }, (_, number) => number);
  expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((number) => 2 * number));
  expect(batches.map(({ length }) => length)).toEqual([3, 3, 2]);
});

test('questions that must be apart leave in statements of their own, and keep no other waiting', async () => {
  const { batches, double } = countingHouse({ atMost: 3, apart: (number) => `a visitor ${number % 10}` });
  const numbers = [1, 11, 21, 2, 12, 3];
  expect(await Promise.all(numbers.map(double))).toEqual([2, 22, 42, 4, 24, 6]);
  expect(batches).toEqual([[1, 2, 3], [11, 12], [21]]);
});

test('one question that PostgreSQL refuses does not spoil those of the others', async () => {
  const { batches, double } = countingHouse({
    ask: async (numbers) => {
      if (numbers.includes(2)) throw refused('22003');
    },
  });
  const answers = await Promise.allSettled([double(1), double(2), double(3)]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test('a database that is away is not asked once more for each', async () => {
  const { batches, double } = countingHouse({
    ask: async () => {
      throw refused('ECONNREFUSED');
    },
  });
  const answers = await Promise.allSettled([double(1), double(2)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches).toHaveLength(1);
});

test('each database has a queue of its own', async () => {
  const other = await testDatabase();
  try {
    const nameOf = gathered<number, string>({ atMost: 10, ask: namesOf });
    const [here, there] = await Promise.all([nameOf(fork(), 1), nameOf(other.em.fork(), 2)]);
    expect(here).not.toBe(there);
  } finally {
    await other.close();
  }
});

async function namesOf(em: EntityManager, numbers: readonly number[]): Promise<string[]> {
  const [row] = await em.execute<{ name: string }[]>('select current_database() as name');
  return numbers.map(() => row?.name ?? '');
}
