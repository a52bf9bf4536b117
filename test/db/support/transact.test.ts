import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { joined, transact } from '../../../db/support/transact.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await write('create table pot (name text primary key, level integer not null)');
});
beforeEach(async () => {
  await write('truncate pot');
  await write(`insert into pot values ('tea', 0), ('coffee', 0)`);
});
afterAll(() => orm.close());

const { fork, rows, write } = booksOf(() => orm);
const levels = () => rows('select name, level from pot order by name');

/** Both hold one pot before they reach for the other: one of them is ended as a deadlock. */
function meeting(): () => Promise<void> {
  let waiting = 0;
  let open: () => void;
  const both = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (++waiting === 2) open();
    return both;
  };
}

const fill = (pots: readonly string[], meet: () => Promise<void>) => {
  let runs = 0;
  return transact(fork(), async (em) => {
    const isFirst = ++runs === 1;
    // Run again, it takes them as the winner does: else it may be quicker than the winner, and both meet once more.
    const inOrder = isFirst ? pots : pots.toReversed();
    for (const [at, pot] of inOrder.entries()) {
      if (at === 1 && isFirst) await meet();
      await em.execute('update pot set level = level + 1 where name = ?', [pot]);
    }
    return runs;
  });
};

test('a transaction that PostgreSQL ended as a deadlock is run again, and the caller does not notice', async () => {
  const meet = meeting();

  const runs = await Promise.all([fill(['tea', 'coffee'], meet), fill(['coffee', 'tea'], meet)]);

  expect(runs.toSorted()).toEqual([1, 2]);
  expect(await levels()).toEqual([
    { name: 'coffee', level: 2 },
    { name: 'tea', level: 2 },
  ]);
});

test('what else goes wrong is thrown, and nothing is kept', async () => {
  const work = transact(fork(), async (em) => {
    await em.execute(`update pot set level = 7 where name = 'tea'`);
    throw new Error('spilt');
  });

  await expect(work).rejects.toThrow('spilt');
  expect(await levels()).toEqual([
    { name: 'coffee', level: 0 },
    { name: 'tea', level: 0 },
  ]);
});

test('a transaction within another one that it does not join is a fault, and nothing of either is kept', async () => {
  const raise = (em: EntityManager, name: string) => em.execute('update pot set level = 9 where name = ?', [name]);
  const apart = transact(fork(), async (em) => {
    await raise(em, 'tea');
    await transact(em, (inner) => raise(inner, 'coffee'));
  });
  await expect(apart).rejects.toThrow('needs `joined`');
  expect((await levels()).map(({ level }) => level)).toEqual([0, 0]);

  await transact(fork(), (em) => transact(joined(em), (inner) => raise(inner, 'coffee')));
  expect((await levels()).map(({ level }) => level)).toEqual([9, 0]);
});
