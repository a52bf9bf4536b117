import type { Mutant } from './mutant.ts';

const onCredit = 'test/api/orders/goods-back-on-credit.test.ts';
const before = 'test/api/returns/money-before-goods.test.ts';
const points = 'test/db/reward-points/settle-points-of-order.test.ts';
const references = 'test/api/returns/engraved-goods.test.ts';

/** Money that is due, and the way on which it goes back. */
export const refundMutants: readonly Mutant[] = [
  {
    id: 'G01',
    mistake: 'one refund of a terminal settles two returns',
    patches: [
      {
        file: 'db/returns/settle-return.ts',
        find: 'if (reference !== undefined) await',
        replace: 'if (reference === rma.incrementId) await',
      },
    ],
    killedBy: [references],
  },
  {
    id: 'G02',
    mistake: 'a reference of a refund that is undecided is free',
    patches: [
      {
        file: 'db/refunds/refund-intent.ts',
        find: "a.state in ('started', 'uncertain') and",
        replace: "a.state = 'booked' and a.credit_memo_id is null and",
      },
    ],
    killedBy: [references],
  },
  {
    id: 'G03',
    mistake: 'what was sold on credit stays due when its goods are back',
    patches: [
      { file: 'db/orders/lower-credit-due.ts', find: 'order.posCreditDue = after;', replace: '' },
      {
        file: 'domain/orders.ts',
        find: 'dueOf(order), goodsOutOf(order)) : zero',
        replace: 'dueOf(order)) : zero',
      },
    ],
    killedBy: [onCredit],
  },
  {
    id: 'G04',
    mistake: 'a fee is forgiven with the credit',
    patches: [
      {
        file: 'domain/platform/placement.ts',
        find: 'least(greatest(zero, subtract(goods, money)), memo.adjustmentNegative)',
        replace: 'memo.adjustmentNegative',
      },
    ],
    killedBy: ['test/domain/orders/due-payment.test.ts', onCredit],
  },
  {
    id: 'G05',
    mistake: 'an order whose goods are all back waits for the money of its invoice',
    patches: [
      {
        file: 'domain/platform/order-state.ts',
        find: 'subtract(grandTotal, totalPaid, dueTakenOff)',
        replace: 'subtract(grandTotal, totalPaid, subtract(dueTakenOff, dueTakenOff))',
      },
    ],
    killedBy: [onCredit],
  },
  {
    id: 'G06',
    mistake: 'a save makes goods due that came back',
    patches: [
      {
        file: 'db/platform/update-order.ts',
        find: 'if (isForGoodsBack || (await',
        replace: 'if (isForGoodsBack && (await',
      },
    ],
    killedBy: [onCredit],
  },
  {
    id: 'G07',
    mistake: 'goods are taken in whose money cannot go back',
    patches: [
      {
        file: 'db/returns/create-return.ts',
        find: "rma.isAutoApproved && rma.status === 'pending' && method !== null",
        replace: "!rma.isAutoApproved && rma.status === 'pending' && method !== null",
      },
    ],
    killedBy: [before],
  },
  {
    id: 'G08',
    mistake: 'a sweep takes goods in that may have left the shop',
    patches: [
      {
        file: 'db/returns/create-return.ts',
        find: 'if (rma.waitsForCaller && through.isAsked === false)',
        replace: 'if (rma.waitsForCaller && rma.isReady)',
      },
    ],
    killedBy: [before],
  },
  {
    id: 'G09',
    mistake: 'a card is asked for more than it took',
    patches: [
      {
        file: 'db/refunds/refundable-money.ts',
        find: 'if (asked <= left) return;',
        replace: 'if (asked <= left || left >= zero) return;',
      },
    ],
    killedBy: [before],
  },
  {
    id: 'G10',
    mistake: 'a return that was refused for its money can never be settled in another way',
    patches: [
      {
        file: 'db/returns/create-return.ts',
        find: 'const instead = rma.waitsForCaller ? through.instead : undefined;',
        replace: 'const instead = rma.isReady ? through.instead : undefined;',
      },
    ],
    killedBy: [before],
  },
  {
    id: 'G11',
    mistake: 'points that were spent before their goods came back are forgotten',
    patches: [
      {
        file: 'db/reward-points/move-points.ts',
        find: 'if (taken < points) await owe.run',
        replace: 'if (taken > points) await owe.run',
      },
    ],
    killedBy: [points],
  },
  {
    id: 'G12',
    mistake: 'points that are owed are not taken from later ones',
    patches: [
      {
        file: 'db/reward-points/move-points.ts',
        find: 'isRepeat || balanceAfter <= account.balance',
        replace: 'isRepeat || balanceAfter >= account.balance',
      },
    ],
    killedBy: [points],
  },
];
