import type { Mutant } from './mutant.ts';

const cancelled = 'test/api/platform/orders/orders.test.ts';
const ended = 'test/db/layaways/ended-layaway.test.ts';
const invoices = 'test/db/platform/invoices/invoices.test.ts';

/** Orders and layaways that are over: where money could come in, or go out twice. */
export const orderMutants: readonly Mutant[] = [
  {
    id: 'E01',
    mistake: 'a cancelled order may be saved open again',
    patches: [
      {
        file: 'db/platform/update-order.ts',
        find: '    refuseReopening(order.state, state);\n',
        replace: '',
      },
    ],
    killedBy: [cancelled],
  },
  {
    id: 'E02',
    mistake: 'a memo forgets what went back without one',
    patches: [
      {
        file: 'db/credits/give-credits-back.ts',
        find: `if (creditMemoId === null && credit.appliesAs === 'tender') countWithoutMemo(order, leg);`,
        replace: '',
      },
    ],
    killedBy: [cancelled],
  },
  {
    id: 'E03',
    mistake: 'the money of a layaway without an invoice is not counted when it is handed back',
    patches: [
      {
        file: 'db/layaways/cancel-layaway.ts',
        find: 'if (!memo) countWithoutMemo(order, { amount: handback.order, baseAmount: handback.base });',
        replace: '',
      },
    ],
    killedBy: [ended],
  },
  {
    id: 'E04',
    mistake: 'a cancelled order may give its goods back',
    patches: [
      {
        file: 'domain/platform/credit-memos/credit-memo-coins.ts',
        find: 'lines.every(({ qty }) => qty === none) &&',
        replace: '',
      },
    ],
    killedBy: [cancelled, 'test/domain/platform/credit-memos/what-was-paid.test.ts'],
  },
  {
    id: 'E05',
    mistake: 'a save takes money for an order that is over',
    patches: [
      {
        file: 'db/platform/update-order.ts',
        find: '  refuseMoneyIn({ state, posLayawayStatus: order.posLayawayStatus });\n',
        replace: '',
      },
    ],
    killedBy: [cancelled, ended],
  },
  {
    id: 'E06',
    mistake: 'an invoice takes money for an order that is over',
    patches: [
      {
        file: 'db/platform/invoices/mark-invoice-paid.ts',
        find: '  refuseMoneyIn(order);\n',
        replace: '',
      },
    ],
    killedBy: [cancelled],
  },
  {
    id: 'E07',
    mistake: 'a layaway that owes something is settled',
    patches: [
      {
        file: 'db/platform/invoices/mark-invoice-paid.ts',
        find: '  refuseUnpaidLayaway(order);\n',
        replace: '',
      },
    ],
    killedBy: [ended],
  },
  {
    id: 'E08',
    mistake: 'the cancellation of a layaway takes back one of its invoices',
    patches: [
      {
        file: 'db/layaways/cancel-layaway.ts',
        find: 'for (const invoice of open) await takeInvoiceBack(em, order, invoice);',
        replace: 'for (const invoice of open.slice(0, 1)) await takeInvoiceBack(em, order, invoice);',
      },
    ],
    killedBy: [ended],
  },
  {
    id: 'E09',
    mistake: 'an invoice that is cancelled opens its order, whatever it is',
    patches: [
      {
        file: 'db/platform/invoices/invoice.repository.ts',
        find: `if (isOver(state) || state === 'payment_review') return;`,
        replace: '',
      },
    ],
    killedBy: [invoices],
  },
  {
    id: 'E10',
    mistake: 'goods of a layaway come back before it is settled',
    patches: [
      {
        file: 'domain/returns/eligibility.ts',
        find: 'input.order.isUnsettledLayaway ? notSettled(input.order) : input.verdict',
        replace: 'input.verdict',
      },
    ],
    killedBy: [ended],
  },
  {
    id: 'E12',
    mistake: 'only one of the open invoices is paid when the last credit due is collected',
    patches: [
      {
        file: 'db/orders/collect-due-payment.ts',
        find: 'for (const invoice of invoices) await payOpened(em, order, invoice);',
        replace: 'for (const invoice of invoices.slice(0, 1)) await payOpened(em, order, invoice);',
      },
    ],
    killedBy: [ended],
  },
  {
    id: 'E13',
    mistake: 'the database lets a cancelled order be opened again',
    sql: 'drop trigger sales_order_stays_cancelled on sales_order',
    killedBy: [cancelled],
  },
  {
    id: 'E14',
    mistake: 'the database takes money for an order that is over',
    sql: 'drop trigger sales_order_over_takes_no_money on sales_order',
    killedBy: [cancelled],
  },
];
