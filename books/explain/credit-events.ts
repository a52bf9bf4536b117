import { maskCode } from '../../domain/credits/applied-credit.ts';
import { at, list } from './json-sql.ts';
import type { CreditName } from './english-story.ts';
import type { SaleTold } from './sale-rows.ts';
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
export const creditFacts = ({ order, credits, w }: Pick<SaleTold, 'order' | 'credits' | 'w'>): string[] =>
  credits.map((credit) => {
    const some = (stored: string) => (Number(stored) === 0 ? null : w.amount(stored, order.currency));
    const fact = w.creditFact({
      ...nameOf(credit),
      isTender: credit.appliesAs === 'tender',
      amount: w.amount(credit.amount, order.currency),
      back: some(credit.amountReturned),
      promised: some(credit.amountReserved),
    });
    return `${fact}${credit.keptBy === null ? '' : w.keptBy(credit.keptBy, credit.keeperNumber ?? '')}`;
  });

/**
 * Every leg that was given back.
 *
 * @param memoId only the legs of this credit memo; absent: all of the sale
 */
export const creditEvents = ({ order, credits, memos, w }: SaleTold, memoId?: number | null): StoryEvent[] =>
  credits.flatMap((credit) =>
    credit.returns
      .filter(({ creditMemoId }) => memoId === undefined || creditMemoId === memoId)
      .map((leg) => {
        const memo = memos.find(({ creditMemoId }) => creditMemoId === leg.creditMemoId);
        return event({
          at: leg.at,
          what: w.creditBack({
            ...nameOf(credit),
            backPoints: leg.points,
            memo: memo?.incrementId,
            isPending: leg.state === 'pending',
          }),
          amount: w.amount(leg.amount, order.currency),
          workflow: memo?.returnId == null ? null : `return-${memo.returnId}`,
        });
      }),
  );

const nameOf = ({ kind, code, points }: CreditRow): CreditName => ({ kind, code: maskCode(code ?? ''), points });
