import { expect, test } from '@jest/globals';
import { mostInputs, saveInput } from '../../../../db/platform/wishlists.ts';
import { PosError } from '../../../../domain/errors.ts';
import { pieces } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { waiting, whileHeld } from '../../../support/books/held.ts';
import { manyProducts } from '../../../support/builders/many-products.ts';
import { aCustomer } from '../../../support/builders/wallet.ts';
import { opensAShop, orm } from '../../../support/order-book.ts';
import { waitUntil } from '../../../support/wait-until.ts';

opensAShop();

const books = booksOf(() => orm);
const { fork, howMany } = books;

test('eight wishes at once do not get past a list that has room for one', async () => {
  const customerId = await aCustomer(fork());
  const products = await manyProducts(books, { sku: 'WISH', count: 507 });
  await books.insertAll(
    'wishlist_item',
    products.slice(8).map((id) => ({ customer_id: customerId, product_id: id, qty: 1 })),
  );
  const wish = (n: number) =>
    saveInput(fork(), { customerId, sku: `WISH-${n}`, qty: pieces(1), description: null }).then(
      () => 200,
      (error: unknown) => (error instanceof PosError ? error.refusal.status : error),
    );

  const { wishes } = await whileHeld(books, 'customer', { id: customerId }, async () => {
    const wishes = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(wish));
    await waitUntil('several wait for the customer', async () => (await waiting(books)) > 1);
    return { wishes };
  });
  const answers = await wishes;

  expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  expect(answers.filter((answer) => answer === 400)).toHaveLength(7);
  expect(await howMany('wishlist_item')).toBe(mostInputs);
  expect(await wish(9)).toBe(200);
});
