import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { expect, test } from '@jest/globals';
import { createCatalogRuleActivities } from '../../../activities/catalog-rules/catalog-rule-activities.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const { fork, rows, write } = booksOf(() => orm);

const reindexIn = (context: { cancellationSignal: AbortSignal; heartbeat: () => void }) =>
  asyncLocalStorage.run(context as unknown as Context, () =>
    createCatalogRuleActivities({ orm, clock: () => new Date() }).reindexDue(),
  );
const allIsDue = () => write('insert into catalog_rule_due (product_id) select entity_id from product');
const due = async () => (await rows('select from catalog_rule_due')).length;

test('a batch that takes long is not taken for a dead process', async () => {
  await allIsDue();
  const { promise: alive, resolve: sayAlive } = Promise.withResolvers<void>();
  const { promise: locked, resolve: sayLocked } = Promise.withResolvers<void>();
  const holder = fork().transactional(async (tx) => {
    await tx.execute(`select pg_advisory_xact_lock(hashtextextended('catalog rule prices', 0))`);
    sayLocked();
    await alive;
  });
  await locked;

  const done = await reindexIn({ cancellationSignal: new AbortController().signal, heartbeat: sayAlive });

  await holder;
  expect(done).toMatchObject({ isDone: true });
  expect(await due()).toBe(0);
}, 30_000);

test('a run that was cancelled begins no further batch', async () => {
  await allIsDue();
  const before = await due();
  const cancelled = reindexIn({ cancellationSignal: AbortSignal.abort(new Error('cancelled')), heartbeat: () => {} });

  await expect(cancelled).rejects.toThrow('cancelled');
  expect(await due()).toBe(before);
  expect(before).toBeGreaterThan(0);
});
