import type { Mutant } from './mutant.ts';

const verbs = 'test/db/refunds/refunds-under-way.test.ts';
const anyVerbs = 'test/db/refunds/refund-intent.test.ts';
const saves = 'test/db/platform/orders/orders.test.ts';
const completed = 'test/db/platform/orders/orders.test.ts';
const left = 'test/domain/platform/document-lines.test.ts';
const untracked = 'test/api/orders/goods-back-on-credit.test.ts';

const unguarded = { find: '\n  refuseWhileRefundUnderWay(order);', replace: '\n  void refuseWhileRefundUnderWay;' };

/** Saves and other verbs of an order, where a mistake keeps a refund from being booked or sends it elsewhere. */
export const saveMutants: readonly Mutant[] = [
  {
    id: 'S01',
    mistake: 'an order is put on hold while money of it is on its way back',
    patches: [
      {
        file: 'db/platform/orders/hold-order.ts',
        find: '    refuseWhileRefundUnderWay(order);',
        replace: '    void refuseWhileRefundUnderWay;',
      },
    ],
    killedBy: [verbs],
  },
  {
    id: 'S02',
    mistake: 'an order is cancelled while money of it is on its way back',
    patches: [{ file: 'db/platform/orders/cancel-order.ts', ...unguarded }],
    killedBy: [verbs],
  },
  {
    id: 'S03',
    mistake: 'an invoice is taken back while money of its order is on its way back',
    patches: [{ file: 'db/platform/invoices/invoice.repository.ts', ...unguarded }],
    killedBy: [verbs],
  },
  {
    id: 'S04',
    mistake: 'any save is taken while money of the order is on its way back',
    patches: [
      {
        file: 'domain/platform/save-guard.ts',
        find: `['state', ...shipping, ...Object.keys(floorsOf.order)])`,
        replace: `['no such figure'].slice(shipping.length))`,
      },
    ],
    killedBy: [verbs, anyVerbs],
  },
  {
    id: 'S05',
    mistake: 'an order closes although a refund of it is under way',
    patches: [
      {
        file: 'domain/platform/order-state.ts',
        find: 'if (figures.hasRefundUnderWay) return true;',
        replace: 'if (figures.hasRefundUnderWay && figures.lines.length === 0) return true;',
      },
    ],
    killedBy: [verbs],
  },
  {
    id: 'S06',
    mistake: 'more back than there is makes the rest negative',
    patches: [
      {
        file: 'domain/platform/placement.ts',
        find: 'return whole < zero ? least(zero, left) : greatest(zero, left);',
        replace: 'return whole < zero ? least(left) : greatest(left);',
      },
    ],
    killedBy: [left],
  },
  {
    id: 'S07',
    mistake: 'a save sends the refund of a paid order to another transaction',
    patches: [
      {
        file: 'domain/platform/save-guard.ts',
        find: 'if (!isFirst || order.totalOnlineRefunded !== 0)',
        replace: 'if (isFirst && order.totalOnlineRefunded !== 0)',
      },
    ],
    killedBy: [saves],
  },
  {
    id: 'S08',
    mistake: 'a save changes the currency of an order that was paid',
    patches: [
      {
        file: 'domain/platform/save-guard.ts',
        find: `  'orderCurrencyCode',\n`,
        replace: '',
      },
    ],
    killedBy: [saves],
  },
  {
    id: 'S09',
    mistake: 'a save brings figures below what was invoiced',
    patches: [
      {
        file: 'domain/platform/save-guard.ts',
        find: 'value < Math.min(taken, was)',
        replace: 'value < Math.min(taken, was, 0)',
      },
    ],
    killedBy: [saves],
  },
  {
    id: 'S10',
    mistake: 'an order that could never be refunded is placed',
    patches: [
      {
        file: 'db/platform/orders/complete-order.ts',
        find: `if (lines.length === 0) throw fieldRequired('items');`,
        replace: 'if (lines.length === 0) return void fieldRequired;',
      },
    ],
    killedBy: [completed],
  },
  {
    id: 'S11',
    mistake: 'totals that are completed are rounded beside their parts',
    patches: [
      {
        file: 'db/platform/orders/complete-order.ts',
        find: 'add(parts[missing], postedIn(missing, beyond, rated)[missing])',
        replace: 'add(postedIn(missing, sent, rated)[missing], subtract(beyond[missing], beyond[missing]))',
      },
    ],
    killedBy: [completed],
  },
  {
    id: 'S12',
    mistake: 'a card sale that nobody can refund is placed without a word',
    patches: [
      {
        file: 'api/orders.ts',
        find: 'if (gateway === undefined || gateway.canTrack(null)) return posted;',
        replace: 'if (gateway === undefined || !gateway.canTrack(null)) return posted;',
      },
    ],
    killedBy: [untracked],
  },
  {
    id: 'S13',
    mistake: 'the database takes more refunded than paid in the order’s own currency',
    sql: `alter table sales_order drop constraint sales_order_never_over_refunded,
      add constraint sales_order_never_over_refunded check (base_total_refunded + base_pending_refund <=
        base_total_paid)`,
    killedBy: ['test/db/platform/orders/orders.test.ts'],
    named: '^(?:save guard) ',
  },
  {
    id: 'S14',
    mistake: 'a save that orders less of a product leaves the rest of the promise on the shelf',
    patches: [
      {
        file: 'db/platform/update-order.ts',
        find: '    if (posted.lines?.length) await followQuantities(tx, order, awaited);',
        replace: '    void [followQuantities, awaited];',
      },
    ],
    killedBy: [saves],
  },
  {
    id: 'S15',
    mistake: 'a save leaves an order with a total in one currency only',
    patches: [
      {
        file: 'db/platform/update-order.ts',
        find: '    refuseOneSidedTotal(stored, order);',
        replace: '    void refuseOneSidedTotal;',
      },
    ],
    killedBy: [saves],
  },
  {
    id: 'S16',
    mistake: 'a line’s discount is saved after its last invoice, while the total stays',
    patches: [
      {
        file: 'domain/platform/save-guard.ts',
        find: 'if (after.qtyInvoiced === none || isLeftToInvoice(after)) return;',
        replace: 'if (after.qtyInvoiced !== none || isLeftToInvoice(after)) return;',
      },
    ],
    killedBy: [saves],
  },
  {
    id: 'S17',
    mistake: 'an order’s discount is saved after its last invoice, while the total stays',
    patches: [
      {
        file: 'db/platform/update-order.ts',
        find: '    refuseLateTotals(stored, order);',
        replace: '    void refuseLateTotals;',
      },
    ],
    killedBy: [saves],
  },
  {
    id: 'S18',
    mistake: 'a save takes the last piece of a line back and leaves its worth, which no invoice will take',
    patches: [
      {
        file: 'domain/platform/save-guard.ts',
        find: 'isClosed ? () => true : hasChanged(line, after)',
        replace: 'hasChanged(line, after)',
      },
    ],
    killedBy: [saves],
  },
];
