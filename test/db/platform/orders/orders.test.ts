import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { refundOrder } from '../../../../db/platform/credit-memos/refund-invoice.ts';
import { readPromised } from '../../../../db/platform/inventory/read-promised.ts';
import { createInvoice } from '../../../../db/platform/invoices/invoices.ts';
import { createOrder } from '../../../../db/platform/place-order.ts';
import { updateOrder } from '../../../../db/platform/update-order.ts';
import { drawsNumbers } from '../../../../db/platform/orders/add-order-comment.ts';
import { cancelOrder } from '../../../../db/platform/orders/cancel-order.ts';
import type {
  PostedColumns,
  PostedLine,
  PostedOrder,
  PostedPayment,
} from '../../../../db/platform/orders/posted-order.ts';
import { transact } from '../../../../db/support/transact.ts';
import { recordFinding } from '../../../../db/verdicts/record-finding.ts';
import { money, zero, none, pieces } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder, aPostedOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aRefundUnderWay } from '../../../support/builders/refund-under-way.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { testDatabase } from '../../../support/database.ts';

describe('complete order', () => {
  const now = new Date('2026-11-22T09:30:00Z');
  let orm: MikroORM;
  let locationId: number;
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    await booksHold();
    await orm.close();
  });

  const { linesOf, theOrder, fork, howMany, booksHold } = booksOf(() => orm);

  const canadian: WantedOrder = { storeId: 2, currency: 'CAD', rate: '1.36' };
  const goods: WantedOrder = {
    lines: [
      { sku: 'MUG', qty: 3, price: '33.33', tax: '8.02', discount: '1.11' },
      { sku: 'MUG', qty: 1, price: '9.99', tax: '0.81' },
    ],
    shipping: '10',
    shippingTax: '0.77',
    method: 'provider_a',
    lastTransId: 'pay_1',
  };

  const isIn = (currency: 'base' | 'order') => (name: string) =>
    /^base(?!CurrencyCode|ToOrderRate|ToGlobalRate)[A-Z]/.test(name) === (currency === 'base');
  const only = <Figures extends object>(figures: Figures, keeps: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(figures).filter(([name, value]) => typeof value !== 'number' || keeps(name)));

  /** As a register posts it that knows of one currency. */
  async function postedIn(currency: 'base' | 'order', wanted: WantedOrder): Promise<PostedOrder> {
    const posted = await aPostedOrder(fork(), wanted);
    const keeps = (name: string) => isIn(currency)(name) || ['storeId', 'qtyOrdered', 'productId'].includes(name);
    return {
      ...posted,
      columns: only(posted.columns, keeps),
      lines: (posted.lines ?? []).map((line) => only(line, keeps)),
    };
  }

  const figuresOf = async (orderId: number) => [
    await theOrder(
      ...([orderId, 'grand_total', 'base_grand_total', 'subtotal', 'base_subtotal'] as const),
      ...(['tax_amount', 'base_tax_amount', 'discount_amount', 'base_discount_amount'] as const),
      ...(['shipping_amount', 'base_shipping_amount', 'base_total_paid'] as const),
    ),
    await linesOf(orderId, 'row_total', 'base_row_total', 'tax_amount', 'base_tax_amount', 'price', 'base_price'),
  ];

  describe('an order that is posted in one currency only', () => {
    test.each(['order', 'base'] as const)('has the same figures in both, where both are one: %s', async (currency) => {
      const asSent = await createOrder(fork(), await aPostedOrder(fork(), goods), { now });
      const completed = await createOrder(fork(), await postedIn(currency, goods), { now });
      expect(await figuresOf(completed.orderId)).toEqual(await figuresOf(asSent.orderId));
    });

    test.each(['order', 'base'] as const)('is paid and comes back whole in both, by its rate: %s', async (currency) => {
      const posted = await postedIn(currency, { ...goods, ...canadian });
      const { orderId } = await createOrder(fork(), posted, { now });
      await createInvoice(fork(), { orderId });
      const items = await linesOf(orderId, 'item_id');
      for (const [at, qty] of [3, 1].entries()) {
        const itemId = Number(items[at]!['item_id']);
        const attemptId = await aRefundUnderWay(orm, { orderId, itemId, qty, locationId, state: 'uncertain' });
        const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
        expect(await recordFinding(orm.em, { attemptId, finding, now: new Date() })).toMatchObject({ state: 'booked' });
      }
      const order = await theOrder(orderId);
      expect([order['total_paid'], order['total_refunded']]).toEqual([order['grand_total'], order['grand_total']]);
      const paid = order['base_grand_total'];
      expect([order['base_total_paid'], order['base_total_refunded']]).toEqual([paid, paid]);
      expect(Number(paid)).toBeGreaterThan(0);
    });

    test('has totals that are the sum of their lines in both, to the cent', async () => {
      const wanted = { lines: [1, 2, 3].map(() => ({ sku: 'MUG', qty: 1, price: '0.99' })), ...canadian };
      const { orderId } = await createOrder(fork(), await postedIn('order', wanted), { now });
      expect(await linesOf(orderId, 'base_row_total')).toEqual([1, 2, 3].map(() => ({ base_row_total: '0.9900' })));
      expect(await theOrder(orderId, 'base_subtotal', 'base_grand_total')).toEqual({
        base_subtotal: '2.9700',
        base_grand_total: '2.9700',
      });
    });

    test('was paid in both, whichever was said', async () => {
      const posted = await aPostedOrder(fork(), canadian);
      for (const paid of [
        { totalPaid: money('146.88') },
        { totalPaid: money('146.88'), baseTotalPaid: zero },
        { baseTotalPaid: money('108'), totalPaid: zero },
      ]) {
        const { orderId } = await createOrder(fork(), { ...posted, columns: { ...posted.columns, ...paid } }, { now });
        expect(await theOrder(orderId, 'total_paid', 'base_total_paid')).toEqual({
          total_paid: '146.8800',
          base_total_paid: '108.0000',
        });
      }
    });
  });

  test('a line that names no total has its price times its quantity', async () => {
    const posted = await aPostedOrder(fork());
    const lines = (posted.lines ?? []).map(({ rowTotal: _own, baseRowTotal: _base, ...line }) => line);
    const { orderId } = await createOrder(fork(), { ...posted, lines }, { now });
    expect(await linesOf(orderId, 'row_total', 'base_row_total')).toEqual([
      { row_total: '100.0000', base_row_total: '100.0000' },
    ]);
  });

  test('an order that could never be refunded is refused, and nothing is left of it', async () => {
    const before = await howMany('sales_order');
    const posted = await aPostedOrder(fork());
    const { lines: _none, ...withoutLines } = posted;
    await expect(createOrder(fork(), withoutLines, { now })).rejects.toMatchObject({
      status: 400,
      parameters: { fieldName: 'items' },
    });
    const nothing = { rowTotal: zero, baseRowTotal: zero, price: zero, basePrice: zero };
    const columns = { ...posted.columns, taxAmount: zero, baseTaxAmount: zero };
    const lines = (posted.lines ?? []).map((line) => ({ ...line, ...nothing }));
    await expect(createOrder(fork(), { ...posted, columns, lines }, { now })).rejects.toMatchObject({
      status: 400,
      parameters: { grandTotal: 108 },
    });
    // Money goes back for a whole set, and this one has no price.
    const [parts = {}] = posted.lines ?? [];
    const ofASet = [...lines, { ...parts, parentAt: 0 }] as PostedOrder['lines'];
    await expect(createOrder(fork(), { ...posted, columns, lines: ofASet }, { now })).rejects.toMatchObject({
      status: 400,
      parameters: { grandTotal: 108 },
    });
    expect(await howMany('sales_order')).toEqual(before);
  });

  test('goods that cost nothing are sold as before', async () => {
    const posted = await aPostedOrder(fork(), { lines: [{ sku: 'MUG', qty: 1, price: '5', discount: '5' }] });
    await createOrder(fork(), posted, { now });
  });
});

describe('save guard', () => {
  let orm: MikroORM;
  let locationId: number;
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    await booksHold();
    await orm.close();
  });

  const { fork, change, booksHold } = booksOf(() => orm);

  const card = { method: 'provider_a', lastTransId: 'pay_1' };
  const canadian = { storeId: 2, currency: 'CAD', rate: '1.36' };
  const sale = (wanted: WantedOrder = {}) => anOrder(fork(), { shipped: false, ...wanted });
  const save = (orderId: number, columns: PostedColumns, payment: PostedPayment = {}) =>
    updateOrder(fork(), orderId, { posted: { columns, payment } });
  const saveLine = (orderId: number, line: PostedLine) =>
    updateOrder(fork(), orderId, { posted: { columns: {}, lines: [line] } });
  const naming = (fieldName: string) => ({ status: 400, parameters: { fieldName } });

  /** What the order still keeps promised of the stock, by sku. */
  const promisedBy = async (orderId: number) => Object.fromEntries(await readPromised(fork(), orderId));

  describe('the stock that an order promises', () => {
    test.each([
      ['more', 3, pieces(3)],
      ['less', 1, pieces(1)],
    ])('follows a save that orders %s of a product', async (_how, qty, promised) => {
      const { orderId, itemIds } = await sale({ paid: false, lines: [{ sku: 'MUG', qty: 2, price: '10' }] });
      const change = { itemId: itemIds[0]!, qtyOrdered: pieces(qty) };
      await saveLine(orderId, change);
      await saveLine(orderId, change);
      expect(await promisedBy(orderId)).toEqual({ MUG: promised });
      await cancelOrder(fork(), orderId);
      expect(await promisedBy(orderId)).toEqual({ MUG: none });
    });

    test('goes back whole when the order is cancelled by the save that orders less; no save closes it', async () => {
      const { orderId, itemIds } = await sale({ paid: false, lines: [{ sku: 'MUG', qty: 3, price: '10' }] });
      const lines = [{ itemId: itemIds[0]!, qtyOrdered: pieces(1) }];
      const saveAs = (state: 'closed' | 'canceled') =>
        updateOrder(fork(), orderId, { posted: { columns: { state }, lines } });
      await expect(saveAs('closed')).rejects.toMatchObject({
        status: 400,
        message: 'An order in state "%1" cannot be saved in state "%2".',
        parameters: ['new', 'closed'],
      });
      expect(await promisedBy(orderId)).toEqual({ MUG: pieces(3) });
      await saveAs('canceled');
      expect(await promisedBy(orderId)).toEqual({ MUG: none });
    });
  });

  describe('a total in one currency only', () => {
    test.each(['grandTotal', 'baseGrandTotal'])('is refused: %s of nothing beside the other', async (fieldName) => {
      const { orderId } = await sale({ ...card, ...canadian, paid: false });
      await expect(save(orderId, { [fieldName]: zero })).rejects.toMatchObject({
        status: 400,
        parameters: { fieldName },
      });
    });

    test('that came so may be sent back as it is', async () => {
      const { orderId } = await sale({ ...card, ...canadian, paid: false });
      await change('sales_order', { entity_id: orderId }, { grand_total: 0, base_grand_total: 0.05 });
      const unchanged = { grandTotal: zero, baseGrandTotal: money('0.05') };
      await expect(save(orderId, unchanged)).resolves.toMatchObject({ orderId });
    });

    test('may be nothing in both', async () => {
      const { orderId } = await sale({ ...card, ...canadian, paid: false });
      await expect(save(orderId, { grandTotal: zero, baseGrandTotal: zero })).resolves.toMatchObject({ orderId });
    });
  });

  describe('once money came in', () => {
    test.each([
      ['orderCurrencyCode', 'EUR'],
      ['baseCurrencyCode', 'EUR'],
      ['globalCurrencyCode', 'EUR'],
      ['storeCurrencyCode', 'EUR'],
      ['baseToOrderRate', '1.37'],
      ['baseToGlobalRate', '2'],
      ['storeToBaseRate', '2'],
      ['storeToOrderRate', '2'],
    ])('the %s of an order stays', async (fieldName, value) => {
      const { orderId } = await sale({ ...card, ...canadian });
      await expect(save(orderId, { [fieldName]: value })).rejects.toMatchObject(naming(fieldName));
    });

    test.each([
      ['method', { method: 'provider_b' }],
      ['lastTransId', { lastTransId: 'pay_of_somebody_else' }],
      ['lastTransId', { lastTransId: null }],
    ])('the %s of its payment stays: %j', async (fieldName, payment) => {
      const { orderId } = await sale(card);
      await expect(save(orderId, {}, payment)).rejects.toMatchObject(naming(fieldName));
    });

    test('all of it may be sent back as it is, in other decimals of the rate too', async () => {
      const { orderId } = await sale({ ...card, ...canadian });
      for (const _time of [1, 2])
        await save(
          orderId,
          { orderCurrencyCode: 'CAD', baseCurrencyCode: 'USD', baseToOrderRate: '1.36', storeToBaseRate: '1.000' },
          card,
        );
    });

    test('a part payment counts, and an open invoice for the currency; a layaway’s method and deposit stay', async () => {
      const { orderId } = await sale({ paid: false, method: 'cash' });
      await save(orderId, { totalPaid: money('1') });
      await expect(save(orderId, {}, { method: 'provider_a' })).rejects.toMatchObject(naming('method'));
      const { orderId: layawayId } = await sale({ layaway: true });
      await expect(save(layawayId, { orderCurrencyCode: 'EUR' })).rejects.toMatchObject(naming('orderCurrencyCode'));
      await expect(save(layawayId, {}, { method: 'provider_a' })).rejects.toMatchObject({
        ...naming('method'),
        message: 'The %fieldName of a layaway follows from its payments.',
      });
      const deposit = { posLayawayDepositAmount: money('1') };
      await expect(save(layawayId, deposit)).rejects.toMatchObject(naming('posLayawayDepositAmount'));
    });
  });

  test('an order that nothing was paid for may still be sold another way, paid in the same save', async () => {
    const { orderId } = await sale({ paid: false, method: 'cash' });
    await save(orderId, { orderCurrencyCode: 'EUR', baseToOrderRate: '0.9', totalPaid: money('108') }, card);
    await expect(save(orderId, {}, { lastTransId: 'pay_2' })).rejects.toMatchObject(naming('lastTransId'));
  });

  describe('a transaction that was rolled back', () => {
    test('may be told later, once', async () => {
      const { orderId } = await sale({ method: 'provider_a' });
      await save(orderId, {}, { lastTransId: 'pay_9' });
      await expect(save(orderId, {}, { lastTransId: 'pay_10' })).rejects.toMatchObject(naming('lastTransId'));
    });

    test('is not told beside a refund through the gateway, nor after one', async () => {
      const { orderId, itemIds } = await sale({ method: 'provider_a' });
      const attemptId = await aRefundUnderWay(orm, { orderId, itemId: itemIds[0]!, locationId, state: 'uncertain' });
      const tell = () => save(orderId, {}, { lastTransId: 'pay_9' });
      await expect(tell()).rejects.toMatchObject({ status: 400, parameters: { refund_attempt_id: attemptId } });
      await recordFinding(orm.em, { attemptId, finding: { evidence: 'refunded' }, now: new Date() });
      await expect(tell()).rejects.toMatchObject(naming('lastTransId'));
    });
  });

  const twoLines = { lines: [{ sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '5' }], shipping: '10' };

  describe('a save brings no figure below what documents took of it', () => {
    test.each([
      ['grandTotal', '112.99'],
      ['baseGrandTotal', '112.99'],
      ['subtotal', '99'],
      ['baseSubtotal', '99'],
      ['taxAmount', '7.99'],
      ['baseTaxAmount', '0'],
      ['discountAmount', '-4'],
      ['baseDiscountAmount', '-4'],
      ['shippingAmount', '4'],
      ['shippingAmount', '12'],
      ['baseShippingAmount', '-6'],
      ['shippingTaxAmount', '1'],
      ['shippingDiscountAmount', '1'],
    ])('%s of the order to %s', async (fieldName, value) => {
      const { orderId } = await sale(twoLines);
      await expect(save(orderId, { [fieldName]: money(value) })).rejects.toMatchObject({
        status: 400,
        parameters: expect.objectContaining({ fieldName }),
      });
    });

    test.each([
      ['qtyOrdered', pieces(1)],
      ['rowTotal', money('99')],
      ['baseRowTotal', money('99')],
      ['taxAmount', money('7')],
      ['baseTaxAmount', money('7')],
      ['discountAmount', money('4')],
      ['baseDiscountAmount', zero],
    ])('%s of a line to %d', async (fieldName, value) => {
      const { orderId, itemIds } = await sale(twoLines);
      await expect(saveLine(orderId, { itemId: itemIds[0]!, [fieldName]: value })).rejects.toMatchObject({
        status: 400,
        parameters: expect.objectContaining({ fieldName }),
      });
    });

    test('what a fixed product tax consists of stays once it was invoiced', async () => {
      const { orderId, itemIds } = await sale(twoLines);
      const weeeTaxApplied = '[{"row_amount":1}]';
      await expect(saveLine(orderId, { itemId: itemIds[0]!, weeeTaxApplied })).rejects.toMatchObject(
        naming('weeeTaxApplied'),
      );
    });

    test.each([
      ['subtotal', '101'],
      ['baseSubtotal', '101'],
      ['taxAmount', '8.01'],
      ['discountAmount', '-6'],
      ['baseDiscountAmount', '-5.01'],
    ])('%s of an order whose last piece is invoiced to %s, which no invoice would take', async (fieldName, value) => {
      const { orderId } = await sale(twoLines);
      await expect(save(orderId, { [fieldName]: money(value) })).rejects.toMatchObject(naming(fieldName));
    });

    test.each([
      ['rowTotal', '101'],
      ['baseRowTotal', '101'],
      ['taxAmount', '9'],
      ['discountAmount', '6'],
      ['baseDiscountAmount', '5.01'],
      ['weeeTaxAppliedRowAmount', '1'],
    ])('%s of a line whose last piece is invoiced to %s, while the total stays', async (fieldName, value) => {
      const { orderId, itemIds } = await sale(twoLines);
      const line = { itemId: itemIds[0]!, [fieldName]: money(value) };
      await expect(saveLine(orderId, line)).rejects.toMatchObject(naming(fieldName));
    });

    test('what is ordered beside the invoiced pieces brings its figures along, and goes again with them', async () => {
      const { orderId, itemIds } = await sale(twoLines);
      const to = (qty: number, row: string) => ({
        columns: { subtotal: money(row), baseSubtotal: money(row) },
        lines: [{ itemId: itemIds[0]!, qtyOrdered: pieces(qty), rowTotal: money(row), baseRowTotal: money(row) }],
      });
      await updateOrder(fork(), orderId, { posted: to(3, '150') });
      await expect(updateOrder(fork(), orderId, { posted: to(2, '120') })).rejects.toMatchObject(naming('rowTotal'));
      await updateOrder(fork(), orderId, { posted: to(2, '100') });
    });

    test('the last piece that is left is not taken back alone, when the line was said to be worth more', async () => {
      const { orderId, itemIds } = await sale(twoLines);
      const line = (sent: object) => saveLine(orderId, { itemId: itemIds[0]!, ...sent });
      await line({ qtyOrdered: pieces(3) });
      await line({ rowTotal: money('150') });
      await expect(line({ qtyOrdered: pieces(2) })).rejects.toMatchObject(naming('rowTotal'));
      await line({ qtyOrdered: pieces(2), rowTotal: money('100') });
    });

    test('figures of an order that nothing took from may fall, and others may rise', async () => {
      const { orderId } = await sale({ ...twoLines, paid: false });
      await save(orderId, { shippingAmount: money('4'), baseShippingAmount: money('4'), subtotal: money('90') });
      await save(orderId, { shippingAmount: money('6'), grandTotal: money('130'), baseGrandTotal: money('130') });
    });
  });

  test('a save in the middle of two refunds of shipping takes no money back', async () => {
    const { orderId, itemIds } = await sale({ ...twoLines, ...card });
    const byHand = { adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
    const items = [{ orderItemId: itemIds[0]!, qty: none }];
    await refundOrder(fork(), { ...byHand, orderId, items, shippingAmount: money('10') });
    await expect(save(orderId, { shippingAmount: money('4'), baseShippingAmount: money('4') })).rejects.toMatchObject(
      naming('shippingAmount'),
    );
    await refundOrder(fork(), { ...byHand, orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(2) }] });
  });

  test('a number that was drawn and rolled back is a gap: no document gets it again, and later ones are higher', async () => {
    const draw = drawsNumbers('invoice');
    // The first number of a store makes its sequence, and is rolled back with it.
    await draw(fork(), 1);
    const rolledBack = new Set<string>();
    const draws = Array.from({ length: 24 }, (_, at) =>
      transact(fork(), async (tx) => {
        const { incrementId } = await draw(tx, 1);
        if (at % 3 > 0) return incrementId;
        rolledBack.add(incrementId);
        throw new Error('refused after its number');
      }).catch(() => undefined),
    );
    const given = (await Promise.all(draws)).filter((number) => number !== undefined);
    expect([rolledBack.size, new Set(given).size]).toEqual([8, 16]);
    const { incrementId: next } = await draw(fork(), 1);
    for (const number of [...rolledBack, ...given]) expect(number < next).toBe(true);
    expect(given.filter((number) => rolledBack.has(number))).toEqual([]);
  });

  test('the database itself takes no more refunded than paid, in either currency', async () => {
    const { orderId } = await sale(canadian);
    for (const column of ['total_refunded', 'base_total_refunded'])
      await expect(change('sales_order', { entity_id: orderId }, { [column]: 999 })).rejects.toThrow(
        'sales_order_never_over_refunded',
      );
  });
});
