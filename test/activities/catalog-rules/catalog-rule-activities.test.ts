import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { expect, test } from '@jest/globals';
import { createCatalogRuleActivities } from '../../../activities/nights.ts';
import { booksOf } from '../../support/books.ts';
import { whileTaken } from '../../support/books/held.ts';
import { everyProductIsDue } from '../../support/builders/catalog-rule.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const books = booksOf(() => orm);

const reindexIn = (context: { cancellationSignal: AbortSignal; heartbeat: () => void }) =>
  asyncLocalStorage.run(context as unknown as Context, () => createCatalogRuleActivities({ orm }).reindexDue());
const allIsDue = () => everyProductIsDue(books);
const due = () => books.howMany('catalog_rule_due');

test('a batch that takes long is not taken for a dead process', async () => {
  await allIsDue();
  const { promise: alive, resolve: sayAlive } = Promise.withResolvers<void>();
  const { promise: locked, resolve: sayLocked } = Promise.withResolvers<void>();
  const holder = whileTaken(books, 'catalog rule prices', async () => {
    sayLocked();
    await alive;
  });
  await locked;

  const done = await reindexIn({ cancellationSignal: new AbortController().signal, heartbeat: sayAlive });

  await holder;
  expect(done).toMatchObject({ isDone: true });
  expect(await due()).toBe(0);
});

test('a run that was cancelled begins no further batch', async () => {
  await allIsDue();
  const before = await due();
  const cancelled = reindexIn({ cancellationSignal: AbortSignal.abort(new Error('cancelled')), heartbeat: () => {} });

  await expect(cancelled).rejects.toThrow('cancelled');
  expect(await due()).toBe(before);
  expect(before).toBeGreaterThan(0);
});
