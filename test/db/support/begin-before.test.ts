import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { beginBefore, refuseTooLate } from '../../../db/support/begin-before.ts';
import { transact } from '../../../db/support/transact.ts';
import { beginWithinSeconds, longestTransactionSeconds } from '../../../domain/patience.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const { fork, rows } = booksOf(() => orm);
const tooLate = { refusal: { status: 503, message: expect.stringContaining('nothing was done') } };

test('work may begin for some seconds, by the clock of the database', async () => {
  const moment = await beginBefore(fork());
  const [read] = await rows<{ left: number }>(
    'select extract(epoch from ?::timestamptz - now())::float8 as left',
    moment,
  );

  expect(read?.left).toBeGreaterThan(0);
  expect(read?.left).toBeLessThanOrEqual(beginWithinSeconds);
  await expect(refuseTooLate(fork(), moment)).resolves.toBeUndefined();
  await expect(refuseTooLate(fork(), '2026-11-21 09:00:00+00')).rejects.toMatchObject(tooLate);
});

test('what has begun is ended by PostgreSQL before its caller reads the row', async () => {
  const longest = (em: EntityManager) => em.execute<{ transaction_timeout: string }[]>('show transaction_timeout');
  const seen = await transact(orm.em, async (tx) => {
    await refuseTooLate(tx, 'infinity');
    return longest(tx);
  });

  expect(seen).toEqual([{ transaction_timeout: `${longestTransactionSeconds}s` }]);
  expect(await longest(fork())).toEqual([{ transaction_timeout: '0' }]);
});
