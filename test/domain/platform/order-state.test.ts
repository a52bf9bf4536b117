import { describe, expect, test } from 'vitest';
import { money, zero, type Amount } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import type { LineQuantities } from '../../../domain/platform/line-quantities.ts';
import {
  canCancel,
  canCreditmemo,
  canShip,
  defaultStatus,
  orderStates,
  stateAfterCancel,
  stateAfterDocument,
  stateAfterShipment,
  stateOnSave,
  type OrderFigures,
  type OrderState,
} from '../../../domain/platform/order-state.ts';

interface Wanted {
  state?: OrderState;
  ordered?: number;
  invoiced?: number;
  shipped?: number;
  refunded?: number;
  canceled?: number;
  virtual?: boolean;
  grand?: string;
  paid?: string;
  back?: string;
  fee?: string;
}

/** One line of two at 54, invoiced, paid and handed over unless told otherwise. */
function figures(wanted: Wanted = {}): OrderFigures {
  const { ordered = 2, invoiced = 2, shipped = 2, refunded = 0, canceled = 0, virtual = false } = wanted;
  const line: LineQuantities = {
    qtyOrdered: pieces(ordered),
    qtyInvoiced: pieces(invoiced),
    qtyShipped: pieces(shipped),
    qtyRefunded: pieces(refunded),
    qtyCanceled: pieces(canceled),
    isVirtual: virtual,
  };
  const grandTotal: Amount = money(wanted.grand ?? '108');
  return {
    state: wanted.state ?? 'processing',
    isVirtual: virtual,
    orderCurrencyCode: 'USD',
    grandTotal,
    baseGrandTotal: grandTotal,
    totalPaid: money(wanted.paid ?? wanted.grand ?? '108'),
    totalRefunded: money(wanted.back ?? '0'),
    adjustmentPositive: zero,
    adjustmentNegative: money(wanted.fee ?? '0'),
    differenceRefunded: money('0'),
    lines: [line],
  };
}

test('every state has a status to start with', () => {
  expect(Object.keys(defaultStatus)).toEqual([...orderStates]);
});

describe('after an invoice or a refund', () => {
  test.each<[string, 'invoice' | 'refund', Wanted, OrderState]>([
    [
      'a new order that still must be handed over is in processing',
      'invoice',
      { state: 'new', shipped: 0 },
      'processing',
    ],
    ['a new order that is handed over is complete', 'invoice', { state: 'processing' }, 'complete'],
    ['an order in processing with more to invoice stays', 'invoice', { invoiced: 1 }, 'processing'],
    ['an order in processing with more to ship stays', 'invoice', { shipped: 1 }, 'processing'],
    ['a virtual order is complete at once', 'invoice', { state: 'new', shipped: 0, virtual: true }, 'complete'],
    ['an order of nothing is complete', 'invoice', { state: 'new', grand: '0' }, 'complete'],
    ['a full refund closes', 'refund', { state: 'complete', refunded: 2, back: '108' }, 'closed'],
    ['a full refund before the goods left closes', 'refund', { shipped: 0, refunded: 2, back: '108' }, 'closed'],
    [
      'a partial refund of a complete order leaves it complete',
      'refund',
      { state: 'complete', refunded: 1, back: '54' },
      'complete',
    ],
    ['a partial refund in processing leaves it so', 'refund', { shipped: 0, refunded: 1, back: '54' }, 'processing'],
    [
      'a fee that equals the rest closes',
      'refund',
      { state: 'complete', refunded: 2, back: '98', fee: '10' },
      'closed',
    ],
    [
      'a layaway is never pushed, whatever was invoiced',
      'invoice',
      { state: 'pending_payment', shipped: 0, paid: '0' },
      'pending_payment',
    ],
    [
      'a layaway is never pushed, whatever was refunded',
      'refund',
      { state: 'pending_payment', back: '32', paid: '40' },
      'pending_payment',
    ],
    ['an order on hold stays there', 'refund', { state: 'holded', back: '54' }, 'holded'],
  ])('%s', (_case, document, wanted, expected) => {
    expect(stateAfterDocument(figures(wanted), document, false)).toBe(expected);
  });

  test.each<[string, Wanted, OrderState]>([
    ['is not closed when all that was paid goes back', { refunded: 1, paid: '54', back: '54' }, 'processing'],
    ['stays complete, too', { state: 'complete', refunded: 1, paid: '54', back: '54' }, 'complete'],
    ['stays new before it is handed over', { state: 'new', virtual: true, shipped: 0, paid: '10', back: '10' }, 'new'],
    ['is closed for a due below one whole', { state: 'complete', paid: '107.01', back: '107.01' }, 'closed'],
  ])('an order that an open invoice waits for %s', (_case, wanted, expected) => {
    expect(stateAfterDocument(figures(wanted), 'refund', true)).toBe(expected);
  });
});

describe('on every save', () => {
  test.each<[string, Wanted, boolean, OrderState]>([
    ['what is invoiced and handed over is complete', {}, false, 'complete'],
    ['what is still to be invoiced stays', { invoiced: 1 }, false, 'processing'],
    ['what is still to be handed over stays', { shipped: 1 }, false, 'processing'],
    [
      'what was partly shipped and the rest refunded is complete',
      { shipped: 1, refunded: 1, back: '54' },
      false,
      'complete',
    ],
    ['what is all given back is closed', { state: 'complete', refunded: 2, back: '108' }, false, 'closed'],
    [
      'a virtual order is never closed here',
      { state: 'complete', virtual: true, refunded: 2, back: '108' },
      false,
      'complete',
    ],
    ['a new order never moves on its own', { state: 'new' }, false, 'new'],
    ['a layaway never moves on its own', { state: 'pending_payment', paid: '40' }, true, 'pending_payment'],
    ['an order on hold never moves', { state: 'holded' }, false, 'holded'],
    [
      'a cancelled order never moves',
      { state: 'canceled', invoiced: 0, shipped: 0, canceled: 2, paid: '0' },
      false,
      'canceled',
    ],
    ['an open invoice keeps a shipped order in processing', { paid: '40' }, true, 'processing'],
    ['a due below one whole does not block', { paid: '107.01' }, true, 'complete'],
    ['a due of one whole does', { paid: '107' }, true, 'processing'],
    ['a due without an open invoice does not', { paid: '40' }, false, 'complete'],
  ])('%s', (_case, wanted, hasOpenInvoice, expected) => {
    expect(stateOnSave(figures(wanted), hasOpenInvoice)).toBe(expected);
  });
});

test.each(orderStates)('handing over moves only a new order: %s', (state) => {
  expect(stateAfterShipment(state)).toBe(state === 'new' ? 'processing' : state);
});

describe('whether money is left to give back', () => {
  test.each<[string, Wanted, boolean]>([
    ['a paid order', {}, true],
    ['a part-paid layaway', { state: 'pending_payment', paid: '40' }, true],
    ['an order nobody paid', { paid: '0' }, false],
    ['an order paid back in full', { back: '108' }, false],
    ['an order paid back but a cent', { back: '107.99' }, true],
    ['an order whose rest is the restocking fee', { back: '98', fee: '10' }, false],
    ['an order with a fee and more left', { back: '50', fee: '10' }, true],
    ['a total paid with stray decimals, paid back to the cent', { paid: '107.9951', back: '108' }, false],
    ['an order of nothing, invoiced', { grand: '0' }, true],
    ['an order of nothing, not yet invoiced', { grand: '0', invoiced: 0 }, false],
    ['an order of nothing, given back', { grand: '0', refunded: 2 }, false],
    ['a closed order', { state: 'closed' }, false],
    ['a cancelled order', { state: 'canceled' }, false],
    ['an order on hold', { state: 'holded' }, false],
    ['an order under review', { state: 'payment_review' }, false],
  ])('%s: %s', (_case, wanted, expected) => {
    expect(canCreditmemo(figures(wanted))).toBe(expected);
  });
});

describe('whether it can be cancelled', () => {
  test.each<[string, Wanted, boolean]>([
    ['a new order', { state: 'new', invoiced: 0, shipped: 0 }, true],
    ['an order in processing with something not invoiced', { invoiced: 1 }, true],
    ['a pending payment nobody invoiced', { state: 'pending_payment', invoiced: 0, shipped: 0 }, true],
    ['an open layaway, which an open invoice covers', { state: 'pending_payment', shipped: 0, paid: '40' }, false],
    ['a fully invoiced order', { shipped: 0 }, false],
    ...(['complete', 'closed', 'canceled', 'holded', 'payment_review'] as const).map(
      (state): [string, Wanted, boolean] => [`state ${state}`, { state, invoiced: 0, shipped: 0 }, false],
    ),
  ])('%s: %s', (_case, wanted, expected) => {
    expect(canCancel(figures(wanted))).toBe(expected);
  });
});

test.each<[string, Wanted, OrderState]>([
  ['nothing invoiced', { invoiced: 0, shipped: 0 }, 'canceled'],
  ['one of two invoiced and shipped', { invoiced: 1, shipped: 1 }, 'complete'],
  ['one of three invoiced, none shipped', { ordered: 3, invoiced: 1, shipped: 0 }, 'processing'],
  ['the invoiced one given back', { invoiced: 1, shipped: 1, refunded: 1 }, 'canceled'],
])('a cancellation with %s leaves the order %3$s', (_case, wanted, expected) => {
  expect(stateAfterCancel(figures(wanted))).toBe(expected);
});

test('nothing virtual is handed over', () => {
  expect(canShip(figures({ virtual: true, shipped: 0 }))).toBe(false);
  expect(canShip(figures({ shipped: 0 }))).toBe(true);
});
