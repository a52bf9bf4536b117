import { maskCode } from '../../domain/credits/applied-credit.ts';
import { amountText } from './amount-text.ts';
import { at, list } from './json-sql.ts';
import type { SaleRows } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';
import type { CreditRow } from './credit-row.ts';

/** The rows of an order `o`, as JSON. */
export const creditRows = list(
  {
    creditId: 'c.credit_id',
    kind: 'c.kind',
    appliesAs: 'c.applies_as',
    code: 'c.code',
    amount: 'c.amount::text',
    points: 'c.points',
    amountReturned: 'c.amount_returned::text',
    amountReserved: 'c.amount_reserved::text',
    keptBy: 's.provider_code',
    keeperNumber: 's.transaction_id',
    returns: list(
      {
        creditMemoId: 'r.credit_memo_id',
        amount: 'r.amount::text',
        points: 'r.points',
        state: 'r.state',
        at: at('r.created_at'),
      },
      'from order_credit_return r where r.credit_id = c.credit_id',
      'r.credit_return_id',
    ),
  },
  `from order_credit c left join credit_spending s
     on s.order_id = c.order_id and concat_ws('-', 'credit-spending', s.spending_id, s.name_tail) = c.spend_key
   where c.order_id = o.entity_id`,
  'c.credit_id',
);

/** One sentence for each credit: `40.00 USD was paid with store credit; 20.00 USD of it is back.` */
export const creditFacts = ({ order, credits }: Pick<SaleRows, 'order' | 'credits'>): string[] =>
  credits.map((credit) => {
    const amount = (stored: string) => amountText(stored, order.currency);
    const spent =
      credit.appliesAs === 'tender'
        ? `${amount(credit.amount)} was paid with ${nameOf(credit)}`
        : `${amount(credit.amount)} was taken off for ${nameOf(credit)}`;
    const back = Number(credit.amountReturned) === 0 ? 'nothing' : amount(credit.amountReturned);
    const kept =
      Number(credit.amountReserved) === 0 ? '' : `, ${amount(credit.amountReserved)} is promised to refunds under way`;
    const keeper = credit.keptBy === null ? '' : ` ${credit.keptBy} took it as ${credit.keeperNumber ?? ''}.`;
    return `${spent}; ${back} of it is back${kept}.${keeper}`;
  });

/**
 * Every leg that was given back.
 *
 * @param memoId only the legs of this credit memo; absent: all of the sale
 */
export const creditEvents = ({ order, credits, memos }: SaleRows, memoId?: number | null): StoryEvent[] =>
  credits.flatMap((credit) =>
    credit.returns
      .filter(({ creditMemoId }) => memoId === undefined || creditMemoId === memoId)
      .map((leg) => {
        const memo = memos.find(({ creditMemoId }) => creditMemoId === leg.creditMemoId);
        const why = memo ? `with credit memo ${memo.incrementId}` : 'because the order was cancelled';
        const points = leg.points === null ? '' : `, ${leg.points} of them,`;
        const pendingNote = leg.state === 'pending' ? '; their provider must still be told' : '';
        return event({
          at: leg.at,
          what: `${backTo(credit)}${points} ${why}${pendingNote}.`,
          amount: amountText(leg.amount, order.currency),
          workflow: memo?.returnId == null ? null : `return-${memo.returnId}`,
        });
      }),
  );

const nameOf = ({ kind, code, points }: CreditRow): string => {
  if (kind === 'store_credit') return 'store credit';
  return kind === 'gift_card' ? `gift card ${maskCode(code ?? '')}` : `${points ?? 0} reward points`;
};

const backTo = (credit: CreditRow): string =>
  credit.kind === 'reward_points' ? 'Reward points were given back' : `Money went back to ${nameOf(credit)}`;
