import { describe, expect, test } from 'vitest';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { aShopperWithMugs, type Shopper } from '../../support/builders/cart.ts';
import { anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, api, orderOf, apply, remove, creditOf } from './carts-with-credit.ts';

opensAShop();

const { fork } = booksOf(() => api.orm);
const spend = (customerId: number, amount: string) =>
  addEntry(fork(), anEntry(customerId, { operation: 'debit', amount, reason: 'spent elsewhere' }));
const give = (customerId: number, amount: string) => addEntry(fork(), anEntry(customerId, { amount }));
const balanceOf = async (shopper: Shopper) => (await creditOf(shopper)).balance;

describe('when the balance has changed since it was applied:', () => {
  const changed = (was: string, is: string) => ({
    status: 400,
    body: {
      message: 'Your store credit has changed: it was %1 and is %2. Apply it to the cart again.',
      parameters: [was, is],
    },
  });

  test('less of it than was seen is refused, until it is applied again', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);
    await spend(shopper.customerId, '5');

    expect(await shopper.totals()).toMatchObject({ extension_attributes: { amount_to_pay: 98 } });
    expect(await shopper.place()).toMatchObject(changed('25', '20'));
    await apply(shopper);
    const { body: orderId } = await shopper.place();
    expect(await orderOf(orderId)).toMatchObject({ total_paid: 20 });
  });

  test('a cart is refused when no credit is left, until the credit is removed from it', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);
    await spend(shopper.customerId, '25');

    expect(await shopper.place()).toMatchObject(changed('25', '0'));
    await remove(shopper);
    expect(await shopper.place()).toMatchObject({ status: 200 });
  });

  test('more of it pays more, and less of it that still covers the cart covers it', async () => {
    const lucky = await aShopperWithMugs(api, { credit: '25' });
    await apply(lucky);
    await give(lucky.customerId, '10');
    expect(await orderOf((await lucky.place()).body)).toMatchObject({ total_paid: 35 });

    const rich = await aShopperWithMugs(api, { credit: '500' });
    await apply(rich);
    await spend(rich.customerId, '300');
    expect(await orderOf((await rich.place('free')).body)).toMatchObject({ total_paid: 118 });
    await rich.open();
    expect(await balanceOf(rich)).toBe(82);
  });

  test('raced with debits from elsewhere, the wallet never goes below zero', async () => {
    const shopper = await aShopperWithMugs(api, { credit: '25' });
    await apply(shopper);

    const [placed, ...spent] = await Promise.all([
      shopper.place(),
      ...Array.from({ length: 8 }, () =>
        spend(shopper.customerId, '25').then(
          () => true,
          () => false,
        ),
      ),
    ]);

    const wins = spent.filter(Boolean).length + (placed.status === 200 ? 1 : 0);
    expect(wins).toBe(1);
    expect(await shopper.wallet()).toMatchObject([{}, { amount: '0.0000' }]);
  });
});
