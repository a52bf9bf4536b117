import type { Mutant } from './mutant.ts';

const carts = 'test/api/platform/carts/guest-carts.test.ts';
const orders = 'test/api/platform/carts/ordered-options.test.ts';
const prices = 'test/domain/platform/carts/carts.test.ts';
const engraved = 'test/api/returns/engraved-goods.test.ts';

/**
 * Custom options: where two different goods become one line, a price is wrong, or goods leave a shelf that has none.
 */
export const optionMutants: readonly Mutant[] = [
  {
    id: 'OP1',
    mistake: 'a cup that is entered otherwise goes into the line of another cup',
    patches: [
      {
        file: 'db/platform/carts/put-in-cart.ts',
        find: '\n      and custom_options = $customOptions::jsonb\n',
        replace: '\n',
      },
    ],
    killedBy: [carts],
  },
  {
    id: 'OP2',
    mistake: 'two carts that become one add up cups that are entered otherwise',
    patches: [
      {
        file: 'db/platform/carts/save-cart-address.ts',
        find: 'is not distinct from own.parent_product_id and i.custom_options = own.custom_options',
        replace: 'is not distinct from own.parent_product_id',
      },
    ],
    killedBy: [orders],
    named: 'two carts become one',
  },
  {
    id: 'OP3',
    mistake: 'a cup that is entered otherwise is lost where two carts become one',
    patches: [
      {
        file: 'db/platform/carts/save-cart-address.ts',
        find: '\n      and more.custom_options = own.custom_options)',
        replace: ')',
      },
    ],
    killedBy: [orders],
    named: 'two carts become one',
  },
  {
    id: 'OP4',
    mistake: 'the fixed prices of options are forgotten',
    patches: [
      {
        file: 'domain/platform/carts/cart-totals.ts',
        find: `price + sumOf(parts, 'fixed') + scale`,
        replace: 'price + scale',
      },
    ],
    killedBy: [prices],
  },
  {
    id: 'OP5',
    mistake: 'a percentage is of the price with the other options, too',
    patches: [
      {
        file: 'domain/platform/carts/cart-totals.ts',
        find: 'scaleUnits(price, percent,',
        replace: `scaleUnits(price + sumOf(parts, 'fixed'), percent,`,
      },
    ],
    killedBy: [prices],
  },
  {
    id: 'OP6',
    mistake: 'goods leave the shelf of a line’s own SKU, where none lie',
    patches: [
      {
        file: 'domain/platform/placement.ts',
        find: '\n  stockSku ?? sku;',
        replace: '\n  stockSku === null ? sku : sku;',
      },
    ],
    killedBy: [orders],
    named: 'piece by piece',
  },
  {
    id: 'OP7',
    mistake: 'the order of a cart does not say what its goods are stocked under',
    patches: [
      {
        file: 'db/platform/carts/order-of-cart.ts',
        find: 'stockSku: sold.sku === line.sku ? null : line.sku',
        replace: 'stockSku: null',
      },
    ],
    killedBy: [orders],
    named: 'a shirt that is chosen by size is printed too',
  },
  {
    id: 'OP8',
    mistake: 'a register’s line with options is stocked under its own SKU',
    patches: [
      {
        file: 'db/platform/orders/prepare-order.ts',
        find: 'stockSku: product?.sku ?? null',
        replace: 'stockSku: line.sku',
      },
    ],
    killedBy: [engraved],
    named: 'promises the cups',
  },
  {
    id: 'OP9',
    mistake: 'returned cups are put on a shelf of their engraving',
    patches: [
      { file: 'db/returns/receive-return.ts', find: 'place?.stockSku ?? item.productSku', replace: 'item.productSku' },
    ],
    killedBy: [engraved],
    named: 'engraved cups come back',
  },
];
