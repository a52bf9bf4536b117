import { describe, expect, test } from '@jest/globals';
import { aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { booksOf } from '../../../support/books.ts';
import { opensAShop, api, ordersOf } from './orders-of-carts.ts';

opensAShop();

const { change } = booksOf(() => api.orm);

describe('refused, with the cart as it was:', () => {
  const ready = (what: (shopper: Awaited<ReturnType<typeof aShopperWithMugs>>) => Promise<unknown>) => what;
  test.each([
    [
      'without a payment method',
      'Enter a valid payment method and try again.',
      ready(({ call }) => call('PUT', '/order', {})),
    ],
    [
      'with a method the shop does not offer',
      'The requested Payment Method is not available.',
      ready(({ place }) => place('banktransfer')),
    ],
    [
      'with a card, as no gateway is asked from here',
      'The requested Payment Method is not available.',
      ready(({ place }) => place('vendor_provider_a')),
    ],
    [
      'for free, with something to pay',
      'The requested Payment Method is not available.',
      ready(({ place }) => place('free')),
    ],
  ])('%s', async (_case, message, work) => {
    const shopper = await aShopperWithMugs(api);
    expect(await work(shopper)).toMatchObject({ status: 400, body: { message } });
    expect(await ordersOf(shopper.customerId)).toEqual([]);
    expect(await shopper.totals()).toMatchObject({ grand_total: 118 });
    expect(await shopper.place()).toMatchObject({ status: 200 });
  });

  test('with nothing in it, no address, no way of shipping', async () => {
    const { open, put, call, place } = await aShopper(api);
    const id = await open();
    expect(await place()).toMatchObject({
      status: 404,
      body: { message: 'The "%1" Cart doesn\'t contain products.', parameters: [id] },
    });
    await put('MUG');
    expect(await place()).toMatchObject({
      status: 400,
      body: { message: 'The shipping address is missing. Set the address and try again.' },
    });
    await call('POST', '/billing-address', { address: troy, useForShipping: true });
    expect(await place()).toMatchObject({
      status: 400,
      body: { message: 'The shipping method is missing. Select the shipping method and try again.' },
    });
  });

  test('with what was taken off the shelves or out of the shop since', async () => {
    const { place, customerId, open, put, ship } = await aShopper(api);
    await open();
    await put('CHEESE', 10);
    await ship();

    await change('inventory_source_item', { sku: 'CHEESE' }, { quantity: 9 });
    expect(await place()).toMatchObject({ status: 400, body: { message: 'The requested qty is not available' } });
    await change('inventory_source_item', { sku: 'CHEESE' }, { quantity: 12.5 });
    await change('product', { sku: 'CHEESE' }, { status: 2 });
    expect(await place()).toMatchObject({
      status: 400,
      body: { message: 'Product that you are trying to add is not available.' },
    });
    await change('product', { sku: 'CHEESE' }, { status: 1 });
    expect(await ordersOf(customerId)).toEqual([]);
    expect(await place()).toMatchObject({ status: 200 });
  });
});
