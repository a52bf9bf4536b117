import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  add,
  amount,
  money,
  subtract,
  toWire,
  zero,
  coinOf,
  none,
  parseQuantity,
  pieces,
  quantity,
  type Amount,
} from '../../../../domain/money.ts';
import {
  priceOf,
  cartTotals,
  priceOfPiece,
  postcodesOf,
  taxOf,
  zipNumberOf,
  type Tier,
  type PricedLine,
  type TaxRules,
  type TaxPlaceRate,
} from '../../../../domain/platform/carts/cart-totals.ts';
import {
  quantityInCart,
  cartSettingDefaults,
  paymentMethods,
  shippingRates,
  type CartSettings,
} from '../../../../domain/platform/carts/shop-choices.ts';
import type { CustomOption, OptionPrice } from '../../../../domain/platform/catalog/custom-options.ts';
import { shownOptions, skuWithOptions } from '../../../../domain/platform/catalog/entered-options.ts';
import type { Promotion } from '../../../../domain/platform/sales-rules/promotion.ts';
import { aCent } from '../../../support/coins.ts';
import { seed } from '../../../support/seed.ts';

describe('cart price', () => {
  const tiers: Tier[] = [
    { customerGroupId: 32_000, websiteId: 0, qty: pieces(6), value: 0, percentageValue: 100_000 },
    { customerGroupId: 2, websiteId: 0, qty: pieces(1), value: money('8') },
    { customerGroupId: 1, websiteId: 2, qty: pieces(1), value: money('1') },
    { customerGroupId: 32_000, websiteId: 1, qty: pieces(100), value: money('99') },
  ];

  test.each([
    ['one at the catalog’s price', 1, 5, '10'],
    ['six are ten percent cheaper for everybody', 1, 6, '9'],
    ['wholesalers have their own price', 2, 1, '8'],
    ['of several the lowest', 2, 6, '8'],
    ['another website’s tier does not count', 1, 1, '10'],
    ['a tier above the price does not make it dearer', 1, 100, '9'],
  ])('%s', (_case, groupId, qty, price) => {
    expect(priceOf({ price: money('10'), tiers }, { qty: pieces(qty), groupId, websiteId: 1, coin: aCent })).toBe(
      money(price),
    );
  });
});

describe('cart quantity', () => {
  const mug = {
    typeId: 'simple',
    isEnabled: true,
    isOnWebsite: true,
    isQtyDecimal: false,
    minSaleQty: pieces(1),
    maxSaleQty: pieces(10_000),
    enableQtyIncrements: false,
    qtyIncrements: none,
    isLimited: true,
    salable: pieces(10),
  };
  const sixPack = { ...mug, isLimited: false, enableQtyIncrements: true, qtyIncrements: pieces(6) };
  const half = parseQuantity('0.5')!;

  test.each([
    ['what is held and what is added', mug, pieces(2), pieces(8), pieces(10)],
    ['half a pound', { ...mug, isQtyDecimal: true, minSaleQty: none }, half, half, pieces(1)],
    ['more than there is, on order', { ...mug, isLimited: false }, none, pieces(11), pieces(11)],
    ['two packs of six', sixPack, pieces(6), pieces(6), pieces(12)],
    ['any number where steps are not enabled', { ...sixPack, enableQtyIncrements: false }, none, pieces(5), pieces(5)],
    ['any number where there is no most', { ...sixPack, maxSaleQty: none }, none, pieces(60_000), pieces(60_000)],
    ['a service', { ...mug, typeId: 'virtual', isLimited: false, salable: none }, none, pieces(1), pieces(1)],
  ])('a cart takes %s', (_case, product, held, added, expected) => {
    expect(quantityInCart(product, held, added)).toBe(expected);
  });

  test.each([
    ['The requested qty is not available', mug, pieces(2), pieces(9)],
    ['The requested qty is not available', { ...mug, salable: parseQuantity('-1')! }, none, pieces(1)],
    ['You cannot use decimal quantity for this product.', mug, none, half],
    ['The fewest you may purchase is %1.', { ...mug, isQtyDecimal: true }, none, half],
    [
      'The requested qty exceeds the maximum qty allowed in shopping cart',
      { ...mug, isLimited: false },
      pieces(10_000),
      pieces(1),
    ],
    ['The fewest you may purchase is %1.', { ...mug, minSaleQty: pieces(6) }, pieces(2), pieces(3)],
    ['You can buy this product only in quantities of %1 at a time.', sixPack, pieces(6), pieces(5)],
    ['Product that you are trying to add is not available.', { ...mug, isEnabled: false }, none, pieces(1)],
    ['Product that you are trying to add is not available.', { ...mug, isOnWebsite: false }, none, pieces(1)],
    ['You need to choose options for your item.', { ...mug, typeId: 'bundle' }, none, pieces(1)],
  ])('refused: %s', (message, product, held, added) => {
    expect(() => quantityInCart(product, held, added)).toThrow(message);
  });
});

describe('cart totals', () => {
  const plain: TaxRules = { pricesIncludeTax: false, isTaxedAfterDiscount: true, taxesFixedTaxes: false };
  const including: TaxRules = { pricesIncludeTax: true, isTaxedAfterDiscount: true, taxesFixedTaxes: false };
  const line = (price: string, qty: string, taxPercent = 8): PricedLine => ({
    unitPrice: money(price),
    qty: parseQuantity(qty)!,
    taxPercent: taxPercent * 10_000,
    fixedTaxes: [],
  });
  type Discount = Pick<Promotion, 'action' | 'amount'>;
  const everyLine = { ruleId: 1, mostQty: none, step: none, appliesToShipping: false, stops: false };
  const promotions = (discount: Discount | undefined, lines: readonly unknown[]): Promotion[] =>
    discount ? [{ ...everyLine, ...discount, lines: lines.map(() => true) }] : [];
  const percentOff = (percent: string): Discount => ({ action: 'by_percent', amount: money(percent) });
  const offTheCart = (off: string): Discount => ({ action: 'cart_fixed', amount: money(off) });
  const offEach = (off: string): Discount => ({ action: 'by_fixed', amount: money(off) });

  test.each([
    ['nothing', [], plain, undefined, '0', [0, 0, 0, 0, 0]],
    ['two mugs', [line('50', '2')], plain, undefined, '5', [100, 0, 8, 5, 113]],
    ['a row is rounded once', [line('33.33', '3', 8.25)], plain, undefined, '0', [99.99, 0, 8.25, 0, 108.24]],
    ['by weight', [line('21.90', '0.257')], plain, undefined, '0', [5.63, 0, 0.45, 0, 6.08]],
    ['a price of four decimals', [line('0.3333', '3', 0)], plain, undefined, '0', [1, 0, 0, 0, 1]],
    ['ten percent off', [line('50', '2')], plain, percentOff('10'), '5', [100, 10, 7.2, 5, 102.2]],
    [
      'taxed before the discount',
      [line('50', '2')],
      { ...plain, isTaxedAfterDiscount: false },
      percentOff('10'),
      '0',
      [100, 10, 8, 0, 98],
    ],
    ['three off each', [line('50', '2')], plain, offEach('3'), '0', [100, 6, 7.52, 0, 101.52]],
    ['more off each than it costs', [line('2', '2')], plain, offEach('3'), '0', [4, 4, 0, 0, 0]],
    ['more off the cart than it costs', [line('2', '2')], plain, offTheCart('50'), '5', [4, 4, 0, 5, 5]],
    [
      'ten off three rows',
      [line('10', '1', 0), line('10', '1', 0), line('10', '1', 0)],
      plain,
      offTheCart('10'),
      '0',
      [30, 10, 0, 0, 20],
    ],
    ['tax in the price', [line('119', '1', 19)], including, undefined, '0', [100, 0, 19, 0, 119]],
    [
      'tax in the price, ten percent off',
      [line('119', '1', 19)],
      including,
      percentOff('10'),
      '0',
      [100, 10, 17.1, 0, 107.1],
    ],
    ['tax in an awkward price', [line('9.99', '3', 19)], including, undefined, '0', [25.18, 0, 4.79, 0, 29.97]],
    ['a cent that is tax alone', [line('0.0002', '25', 100)], including, undefined, '0', [0, 0, 0.01, 0, 0.01]],
    ['no tax in the price', [line('9.99', '1', 0)], including, undefined, '0', [9.99, 0, 0, 0, 9.99]],
  ] as const)('%s', (_case, lines, rules, discount, shipping, expected) => {
    const totals = cartTotals(lines, {
      rules,
      promotions: promotions(discount, lines),
      shipping: money(shipping),
      coin: aCent,
    });

    expect(
      [totals.subtotal, totals.discountAmount, totals.taxAmount, totals.shippingAmount, totals.grandTotal].map(toWire),
    ).toEqual(expected);
  });

  test.each([
    ['as it is', plain, '0.99', [2.97, 0, 0.99, 0.99, 7.21]],
    ['with tax on it', { ...plain, taxesFixedTaxes: true }, '0.99', [2.97, 0.24, 0.99, 1.07, 7.45]],
    ['with tax in it', { ...including, taxesFixedTaxes: true }, '1.08', [3, 0.24, 1, 1.08, 7.24]],
    ['with prices that include tax, without tax on it', including, '1.08', [3.24, 0, 1.08, 1.08, 7.24]],
    ['of half a cent', plain, '0.005', [0.02, 0, 0.005, 0.005, 4.26]],
  ] as const)(
    'a fixed tax is charged %s, rounded once for the row',
    (_case, rules, fee, [row, tax, one, oneInclTax, grand]) => {
      const fixedTaxes = [{ title: 'Recycling fee', amount: money(fee) }];
      const goods = { ...line('1', '3'), taxPercent: 80_000, fixedTaxes };
      const totals = cartTotals([goods], { rules, promotions: [], shipping: money('1'), coin: aCent });
      const [fixed] = totals.lines[0]!.fixedTaxes;
      expect([fixed!.amount, fixed!.amountInclTax].map(toWire)).toEqual([one, oneInclTax]);
      expect(toWire(totals.fixedTaxAmount)).toBe(row);
      expect(toWire(subtract(totals.taxAmount, totals.lines[0]!.taxAmount))).toBe(tax);
      expect(toWire(totals.grandTotal)).toBe(grand);
    },
  );

  test('a discount takes nothing off a fixed tax, and what it brings beyond counting is refused', () => {
    const fixedTaxes = [{ title: 'Recycling fee', amount: money('2') }];
    const goods = { ...line('10', '2'), fixedTaxes };
    const free = { rules: plain, promotions: promotions(percentOff('100'), [goods]), shipping: zero, coin: aCent };
    expect(cartTotals([goods], free)).toMatchObject({ grandTotal: money('4'), fixedTaxAmount: money('4') });
    const golden = {
      ...line('1', '1'),
      qty: pieces(10_000),
      fixedTaxes: [{ title: 'Fee', amount: money('900000000') }],
    };
    expect(() => cartTotals([golden], free)).toThrow('The cart is worth more than can be counted.');
  });

  test('a price that includes the tax is told without it to four decimals', () => {
    const [figures] = cartTotals([line('9.99', '1', 19)], {
      rules: including,
      promotions: [],
      shipping: zero,
      coin: aCent,
    }).lines;
    expect(figures).toMatchObject({ price: money('8.395'), priceInclTax: money('9.99') });
  });

  test('what cannot be counted is refused, not miscounted', () => {
    const golden = { ...line('900000000', '1'), qty: pieces(10_000) };
    expect(() => cartTotals([golden], { rules: plain, promotions: [], shipping: zero, coin: aCent })).toThrow(
      'The cart is worth more than can be counted.',
    );
  });

  describe('whatever is in it', () => {
    const someLine = fc.record({
      unitPrice: fc.integer({ min: 0, max: 50_000_000 }).map(amount),
      qty: fc.integer({ min: 1, max: 500_000 }).map(quantity),
      taxPercent: fc.integer({ min: 0, max: 1_000_000 }),
      fixedTaxes: fc.array(
        fc.record({ title: fc.constant('Recycling fee'), amount: fc.integer({ min: 1, max: 500_000 }).map(amount) }),
        { maxLength: 2 },
      ),
    });
    const someDiscount = fc.option(
      fc.record({
        action: fc.constantFrom('by_percent', 'by_fixed', 'cart_fixed'),
        amount: fc.integer({ min: 1, max: 1_000_000 }).map(amount),
      }),
      { nil: undefined },
    );

    test('it adds up, nothing is below zero, and no row is discounted beyond its worth', () => {
      fc.assert(
        fc.property(
          fc.array(someLine, { maxLength: 12 }),
          someDiscount,
          fc.record({
            pricesIncludeTax: fc.boolean(),
            isTaxedAfterDiscount: fc.boolean(),
            taxesFixedTaxes: fc.boolean(),
          }),
          (lines, discount, rules) => {
            const totals = cartTotals(lines, {
              rules,
              promotions: promotions(discount, lines),
              shipping: money('5'),
              coin: aCent,
            });

            expect(totals.grandTotal).toBe(
              subtract(
                add(totals.subtotal, totals.shippingAmount, totals.fixedTaxAmount, totals.taxAmount),
                totals.discountAmount,
              ),
            );
            for (const row of totals.lines) {
              expect(row.discountAmount).toBeLessThanOrEqual(row.rowTotal);
              for (const figure of Object.values({ ...row, ruleIds: 0, fixedTaxes: 0 }))
                expect(figure).toBeGreaterThanOrEqual(0);
              for (const { rowAmount, rowAmountInclTax } of row.fixedTaxes) {
                expect(rowAmountInclTax).toBeGreaterThanOrEqual(rowAmount);
                for (const cents of [rowAmount, rowAmountInclTax]) expect(cents % 100).toBe(0);
              }
              for (const cents of [row.rowTotal, row.taxAmount, row.discountAmount]) expect(cents % 100).toBe(0);
            }
            if (discount?.action === 'cart_fixed')
              expect(totals.discountAmount).toBe(Math.min(Math.round(discount.amount / 100) * 100, totals.subtotal));
          },
        ),
        { seed },
      );
    });

    test('where prices include the tax and nothing is taken off, what is paid is the prices', () => {
      fc.assert(
        fc.property(fc.array(someLine, { maxLength: 12 }), (lines) => {
          const totals = cartTotals(lines, { rules: including, promotions: [], shipping: zero, coin: aCent });
          expect(totals.grandTotal).toBe(add(totals.subtotalInclTax, totals.fixedTaxAmount));
        }),
        { seed },
      );
    });
  });
});

describe('piece price', () => {
  const option = (optionId: number, more: Partial<CustomOption>): CustomOption => ({
    ...{
      optionId,
      type: 'field',
      title: `O${optionId}`,
      sortOrder: 0,
      isRequire: false,
      price: zero,
      priceType: 'fixed',
    },
    ...{ sku: null, maxCharacters: 0, fileExtension: null, imageSizeX: 0, imageSizeY: 0, values: [], ...more },
  });
  const value = (optionTypeId: number, price: string, priceType: OptionPrice['priceType'], sku: string | null) => ({
    ...{ optionTypeId, title: `V${optionTypeId}`, sortOrder: 0, price: money(price), priceType, sku },
  });
  const options = [
    option(1, { price: money('5'), sku: 'ENGR' }),
    option(2, { price: money('12.5'), priceType: 'percent' }),
    option(3, { type: 'checkbox', values: [value(31, '10', 'percent', 'A'), value(32, '-3', 'fixed', 'B')] }),
    option(4, { price: money('-90') }),
  ];
  const lower: Amount[] = [money('8.10')];
  const costs = (...entered: [number, string][]) =>
    priceOfPiece(
      {
        price: money('10'),
        tiers: [],
        lower,
        options,
        entered: entered.map(([optionId, optionValue]) => ({ optionId, optionValue })),
      },
      { qty: pieces(1), groupId: 1, websiteId: 1, coin: coinOf('USD') },
    );

  test('options are added to the price for this buyer; percentages are of it, and rounded once', () => {
    expect(costs()).toBe(money('8.10'));
    expect(costs([1, 'x'])).toBe(money('13.10'));
    // 12.5 % and 10 % of 8.10 are 1.8225.
    expect(costs([2, 'x'], [3, '31'])).toBe(money('9.92'));
    expect(costs([3, '31,32'])).toBe(money('5.91'));
    expect(costs([4, 'x'])).toBe(zero);
  });

  test('what the product no longer has counts for nothing', () => {
    expect(costs([9, 'x'], [3, '77'], [1, 'x'])).toBe(money('13.10'));
    const line = {
      options,
      entered: [
        { optionId: 9, optionValue: 'x' },
        { optionId: 3, optionValue: '77' },
      ],
    };
    expect([skuWithOptions('MUG', line), shownOptions(line)]).toEqual(['MUG', [{ label: 'O3', value: '' }]]);
  });

  test('SKUs follow the one of the product, in the order of the options', () => {
    const line = { options, entered: [1, 2, 3].map((optionId) => ({ optionId, optionValue: '31,32' })) };
    expect(skuWithOptions('MUG', line)).toBe('MUG-ENGR-A-B');
    expect(shownOptions(line).at(-1)).toEqual({ label: 'O3', value: 'V31, V32' });
  });

  test('a price beyond what can be counted is refused', () => {
    const values = Array.from({ length: 100 }, (_, at) => value(at, '99999999', 'fixed', null));
    const dear = {
      options: [option(1, { type: 'multiple', values })],
      entered: [{ optionId: 1, optionValue: [...values.keys()].join() }],
    };
    const buyer = { qty: pieces(1), groupId: 1, websiteId: 1, coin: coinOf('USD') };
    expect(() => priceOfPiece({ price: money('1'), tiers: [], ...dear }, buyer)).toThrow(
      'The cart is worth more than can be counted.',
    );
  });
});

describe('shop choices', () => {
  const cart = { shippedQty: pieces(3), isFree: false, baseSubtotal: money('50'), coin: aCent };
  const rates = (settings: Partial<CartSettings>) =>
    shippingRates({ ...cartSettingDefaults, ...settings }, cart).map(
      ({ carrierCode, methodCode, baseAmount }) => `${carrierCode} ${methodCode} ${toWire(baseAmount)}`,
    );
  const methods = (settings: Partial<CartSettings>, toPay = money('1')) =>
    paymentMethods({ ...cartSettingDefaults, ...settings }, toPay).map(({ code }) => code);

  test.each([
    [{}, ['flatrate flatrate 15']],
    [{ 'carriers/flatrate/type': 'O' }, ['flatrate flatrate 5']],
    [{ 'carriers/flatrate/price': '3.333' }, ['flatrate flatrate 10']],
    [{ 'carriers/flatrate/price': 'five' }, ['flatrate flatrate 0']],
    [{ 'carriers/flatrate/price': '-5' }, ['flatrate flatrate 0']],
    [{ 'carriers/flatrate/active': '0' }, []],
    [{ 'carriers/flatrate/active': '0', 'carriers/freeshipping/active': '1' }, ['freeshipping freeshipping 0']],
    [
      {
        'carriers/flatrate/active': '0',
        'carriers/freeshipping/active': '1',
        'carriers/freeshipping/free_shipping_subtotal': '50.01',
      },
      [],
    ],
    [{ 'carriers/flatrate/active': '0', 'carriers/instore/active': '1' }, ['instore pickup 0']],
  ] as const)('shipping with %j', (settings, expected) => {
    expect(rates(settings)).toEqual(expected);
  });

  test('what is left to pay decides how it can be paid', () => {
    expect(methods({})).toEqual(['checkmo']);
    expect(methods({ 'payment/cashondelivery/active': '1', 'payment/checkmo/active': '0' })).toEqual([
      'cashondelivery',
    ]);
    expect(methods({}, zero)).toEqual(['free']);
    expect(methods({ 'payment/free/active': '0' }, zero)).toEqual([]);
  });
});

describe('tax percent', () => {
  const rate = (code: string, percent: number, more: Partial<TaxPlaceRate> = {}): TaxPlaceRate => ({
    ...{ ruleId: 1, priority: 0, calculateSubtotal: false, productTaxClassIds: [2], regionId: 0, postcode: '*' },
    ...{ code, percent: percent * 10_000 },
    ...more,
  });
  const codes = (rates: readonly TaxPlaceRate[], taxClassId = 2) =>
    taxOf(rates, taxClassId)?.rates.map(({ code }) => code);

  const country = rate('US', 5);
  const state = rate('NY', 8, { regionId: 43 });
  const city = rate('Troy', 9, { regionId: 43, postcode: '12180' });
  const district = rate('121*', 8.5, { regionId: 43, postcode: '121*' });

  test.each([
    ['the country alone', [country], ['US']],
    ['a region before its country', [country, state], ['NY']],
    ['a postcode before its region', [state, city, country], ['Troy']],
    ['a postcode before its beginning', [district, city, state], ['Troy']],
    ['the beginning of a postcode before the region', [state, district], ['121*']],
    ['the higher of two that are alike', [state, rate('NY high', 10, { regionId: 43 })], ['NY high']],
  ])('of one rule holds %s', (_case, rates, held) => {
    expect(codes(rates)).toEqual(held);
  });

  test('a rule for other goods does not hold', () => {
    expect(codes([country], 5)).toBeUndefined();
    expect(codes([country], 0)).toBeUndefined();
  });

  test.each([
    ['rules of one priority are added', [rate('A', 5), rate('B', 3, { ruleId: 2 })], 8],
    ['the next priority is of the price with tax', [rate('A', 10), rate('B', 10, { ruleId: 2, priority: 1 })], 21],
    ['or of the price alone', [rate('A', 10), rate('B', 10, { ruleId: 2, priority: 1, calculateSubtotal: true })], 20],
    ['the order of the rows counts for nothing', [rate('B', 10, { ruleId: 2, priority: 1 }), rate('A', 10)], 21],
  ])('%s', (_case, rates, percent) => {
    expect(taxOf(rates, 2)?.percent).toBe(percent * 10_000);
  });

  test('a rate may name a postcode, its beginnings, or all', () => {
    expect(postcodesOf('121')).toEqual(['121', '1*', '12*', '121*', '*']);
    expect(postcodesOf(null)).toEqual(['*']);
  });

  test.each([
    ['12180', 12_180],
    ['12180-1234', 12_180],
    [' 01234 ', 1_234],
    ['K1A 0B6', null],
    ['', null],
    [null, null],
  ])('a range looks at %s as the number %s', (postcode, number) => {
    expect(zipNumberOf(postcode)).toBe(number);
  });
});
