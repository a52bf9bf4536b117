import type { Mutant } from './mutant.ts';

const sums = 'test/domain/platform/credit-memos/what-was-paid.test.ts';
const anySale = 'test/domain/platform/credit-memos/what-was-paid.test.ts';
const states = 'test/domain/platform/order-state.test.ts';
const byCard = 'test/db/layaways/capture-payment.test.ts';

/** Sales whose lines and total disagree, and what goes back of them. */
export const sumMutants: readonly Mutant[] = [
  {
    id: 'Q01',
    mistake: 'lines that come to more than the total are given back in full',
    patches: [
      {
        file: 'domain/platform/credit-memos/posted-difference.ts',
        find: 'least(greatest(zero, requested), greatest(zero, rest), leftOf(order, currency))',
        replace: 'greatest(zero, requested)',
      },
    ],
    killedBy: [sums, anySale],
  },
  {
    id: 'Q02',
    mistake: 'the last return gives back its lines, not the rest',
    patches: [
      {
        file: 'domain/platform/credit-memos/posted-difference.ts',
        find: 'isAllBack(after) && isShippingBack(after[currency]) ? rest : share',
        replace: 'worth',
      },
    ],
    killedBy: [sums, anySale],
  },
  {
    id: 'Q03',
    mistake: 'free goods that come back last are refused',
    patches: [
      {
        file: 'domain/platform/credit-memos/credit-memo-coins.ts',
        find: "(state === 'closed' || isReadyForCreditmemo(state)) &&",
        replace: 'isReadyForCreditmemo(state) &&',
      },
    ],
    killedBy: [sums],
  },
  {
    id: 'Q04',
    mistake: 'a fee as large as the refund opens a complete order again',
    patches: [
      {
        file: 'domain/platform/order-state.ts',
        find: 'if (isAnyRefunded(figures)) return',
        replace: 'if (isPositive(figures.totalRefunded)) return',
      },
    ],
    killedBy: [states],
  },
  {
    id: 'Q05',
    mistake: 'what evened out the sums of a sale counts as a fee, and closes it too early',
    patches: [
      {
        file: 'domain/platform/order-state.ts',
        find: 'if (differenceRefunded === zero) return isAbout(left, adjustmentNegative, coin);',
        replace: 'if (isAbout(left, adjustmentNegative, coin)) return true;',
      },
    ],
    killedBy: [states],
  },
  {
    id: 'Q06',
    mistake: 'a tip stays due for ever',
    patches: [
      {
        file: 'domain/platform/invoice-totals.ts',
        find: 'const tooLittle = isLastInvoice ?',
        replace: 'const tooLittle = isLastInvoice && header.totalInvoiced < zero ?',
      },
    ],
    killedBy: ['test/domain/platform/order-state.test.ts'],
    named: '^(?:invoice totals) ',
  },
  {
    id: 'Q07',
    mistake: 'a card of a layaway is asked for more than it paid',
    patches: [{ file: 'db/refunds/refundable-money.ts', find: 'leftOn(one) >= asked', replace: 'leftOn(one) >= zero' }],
    killedBy: [byCard],
  },
  {
    id: 'Q08',
    mistake: 'the card that paid a layaway is not kept',
    patches: [
      { file: 'db/layaways/capture-payment.ts', find: 'and $isTransaction', replace: 'and not $isTransaction' },
    ],
    killedBy: [byCard],
  },
];
