import type { Mutant } from './mutant.ts';

const promotions = 'test/domain/platform/sales-rules/promotion.test.ts';
const salesRules = 'test/api/platform/sales-rules/sales-rules.test.ts';
const coupons = 'test/api/platform/sales-rules/sales-rules.test.ts';
const taxes = 'test/domain/platform/carts/carts.test.ts';
const writtenTaxes = 'test/api/platform/tax/tax.test.ts';
const orderedVariants = 'test/api/platform/carts/ordered-variants.test.ts';
const fixedTaxes = 'test/api/platform/carts/ordered-variants.test.ts';

/** Taxes, promotions and limits of carts: where a mistake takes too much or too little. */
export const tradeMutants: readonly Mutant[] = [
  {
    id: 'TR1',
    mistake: 'a later promotion works on the whole price again',
    patches: [
      {
        file: 'domain/platform/sales-rules/promotion.ts',
        find: 'running.left[at] = subtract(running.left[at] ?? zero, off[at] ?? zero);',
        replace: 'running.left[at] = subtract(rows[at]?.rowTotal ?? zero, off[at] ?? zero);',
      },
    ],
    killedBy: [promotions],
  },
  {
    id: 'TR2',
    mistake: 'a promotion that stops the others stops nothing',
    patches: [
      {
        file: 'domain/platform/sales-rules/promotion.ts',
        find: 'running.isStopped[at] = promotion.stops;',
        replace: 'running.isStopped[at] = false;',
      },
    ],
    killedBy: [promotions],
  },
  {
    id: 'TR3',
    mistake: 'the last use of a coupon is given to everybody who orders at once',
    patches: [
      {
        file: 'db/platform/sales-rules/read-promotions.ts',
        find: 'if (isBinding && code !== null) await lockCoupon.run(em, { code });',
        replace: '',
      },
    ],
    killedBy: [coupons],
    named: 'a last use is one',
  },
  {
    id: 'TR4',
    mistake: 'the tax of a country holds where its region has its own',
    patches: [
      {
        file: 'domain/platform/carts/cart-totals.ts',
        find: 'if (one.regionId !== other.regionId) return one.regionId !== 0;',
        replace: 'if (one.regionId !== other.regionId) return one.regionId === 0;',
      },
    ],
    killedBy: [taxes],
  },
  {
    id: 'TR5',
    mistake: 'a rate is deleted without a look at the rules that name it',
    patches: [
      {
        file: 'db/platform/tax/taxes.ts',
        find: 'if (naming) throw invalid(rateInRule);',
        replace: '',
      },
    ],
    killedBy: [writtenTaxes],
  },
  {
    id: 'TR6',
    mistake: 'a promotion holds for a customer however often it was used',
    patches: [
      {
        file: 'db/platform/sales-rules/read-promotions.ts',
        find: `return isOver(usesPerCustomer, times('rule', String(ruleId), customerId));`,
        replace: 'return false;',
      },
    ],
    killedBy: [salesRules],
    named: 'a customer uses a promotion',
  },
  {
    id: 'TR7',
    mistake: 'two carts become one without a look at what the shop has',
    patches: [
      {
        file: 'db/platform/carts/save-cart-address.ts',
        find: 'if (offer) quantityInCart(offer, held, added);',
        replace: '',
      },
    ],
    killedBy: ['test/api/platform/carts/guest-carts.test.ts'],
    named: 'two carts together',
  },
  {
    id: 'TR8',
    mistake: 'goods that are sold in steps are sold in any number',
    patches: [{ file: 'domain/platform/stock-rules.ts', find: 'qty % qtyIncrements !== 0', replace: 'qty < none' }],
    killedBy: ['test/api/platform/carts/cart-line-outcomes.test.ts'],
    named: 'takes eggs by the box',
  },
  {
    id: 'TR9',
    mistake: 'an order is placed without adding up the lines of one product',
    patches: [
      {
        file: 'db/platform/carts/place-cart.ts',
        find: 'requireEnough(offer, plus(none, ...ofProduct.map((line) => line.qty)));',
        replace: 'for (const line of ofProduct) requireEnough(offer, plus(none, line.qty));',
      },
    ],
    killedBy: [orderedVariants],
    named: 'the last shirts',
  },
  {
    id: 'TR10',
    mistake: 'what was taken off a configurable product is sold as its choice',
    patches: [{ file: 'db/platform/carts/place-cart.ts', find: '|| !line.variantOf.isVariant', replace: '' }],
    killedBy: ['test/api/platform/carts/ordered-options.test.ts'],
    named: 'is not placed with what was taken off',
  },
  {
    id: 'TR11',
    mistake: 'two carts become one, and goods as themselves are added to goods that were chosen',
    patches: [
      {
        file: 'db/platform/carts/save-cart-address.ts',
        find: 'and i.parent_product_id is not distinct from own.parent_product_id and ',
        replace: 'and ',
      },
    ],
    killedBy: [orderedVariants],
    named: 'two carts become one',
  },
  {
    id: 'TR12',
    mistake: 'a country’s fixed tax is charged where the region has its own',
    patches: [{ file: 'db/platform/carts/price-cart.ts', find: 'region_id desc', replace: 'region_id' }],
    killedBy: [fixedTaxes],
    named: 'two mugs to Troy',
  },
  {
    id: 'TR13',
    mistake: 'a part invoice leaves the tax on fixed taxes to the last one',
    patches: [
      {
        file: 'domain/platform/invoice-totals.ts',
        find: 'if (money.taxOnWeeeRow === zero) return zero;',
        replace: 'if (money.rowTotal >= zero) return zero;',
      },
    ],
    killedBy: [fixedTaxes],
    named: 'are in the order',
  },
];
