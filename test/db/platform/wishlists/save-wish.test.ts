import { expect, test } from '@jest/globals';
import { mostWishes, saveWish } from '../../../../db/platform/wishlists/save-wish.ts';
import { PosError } from '../../../../domain/errors.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { aCustomer } from '../../../support/builders/wallet.ts';
import { booksOf } from '../../../support/books.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { opensAShop, orm } from '../../../support/order-book.ts';

opensAShop();

const { fork, rows } = booksOf(() => orm);

test('eight wishes at once do not get past a list that has room for one', async () => {
  const customerId = await aCustomer(fork());
  const found = <Row>(sql: string, ...values: unknown[]) => rows<Row>(sql, ...values);
  await found(
    `insert into product (sku, name, price, created_at, updated_at)
     select 'WISH' || n, 'w', 1, now(), now() from generate_series(1, 507) n`,
  );
  await found(
    `insert into wishlist_item (customer_id, product_id, qty, created_at, updated_at)
     select ?, entity_id, 1, now(), now() from product where sku ~ '^WISH' and substr(sku, 5)::int > 8`,
    customerId,
  );
  const wish = (n: number) =>
    saveWish(fork(), { customerId, sku: `WISH${n}`, qty: pieces(1), description: null }).then(
      () => 200,
      (error: unknown) => (error instanceof PosError ? error.refusal.status : error),
    );

  const held = fork();
  await held.begin();
  await held.execute('select 1 from customer where id = ? for update', [customerId]);
  const wishes = [1, 2, 3, 4, 5, 6, 7, 8].map(wish);
  await waitUntil('several wait for the customer', async () => {
    const [waiting] = await found<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting!.count > 1;
  });
  await held.commit();
  const answers = await Promise.all(wishes);

  expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  expect(answers.filter((answer) => answer === 400)).toHaveLength(7);
  expect(await found('select count(*)::int as count from wishlist_item')).toEqual([{ count: mostWishes }]);
  expect(await wish(9)).toBe(200);
});
