import type { EntityManager } from '@mikro-orm/postgresql';
import { mayBecomeCredit, waysBack } from '../../domain/returns/way-back.ts';
import { greatest, subtract, zero, type Amount } from '../../domain/money/amount.ts';
import { amount, integer, texts } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** Money in the order's currency and in the base currency. */
export interface MoneyForCredit {
  amount: Amount;
  baseAmount: Amount;
}

/**
 * How much of an order's refunds may still be issued as credit: what its memos gave back without a tender, less every
 * refund to credit that did not fail. Read it under the order lock before issuing.
 *
 * Money of a refund under way does not count, because it has no memo yet.
 */
export async function readMoneyForCredit(em: EntityManager, orderId: number): Promise<MoneyForCredit> {
  const ways = waysBack.filter((way) => mayBecomeCredit[way]);
  const found = await read.first(em, { orderId, ways });
  if (!found) return { amount: zero, baseAmount: zero };
  return {
    amount: greatest(zero, subtract(found.handedBack, found.credited)),
    baseAmount: greatest(zero, subtract(found.baseHandedBack, found.baseCredited)),
  };
}

/**
 * A memo of a return went back as the return was settled; a memo of a collapsed return without a return, as that one
 * decided.
 */
const read = statement({
  takes: { orderId: integer, ways: texts },
  gives: { handedBack: amount, baseHandedBack: amount, credited: amount, baseCredited: amount },
  text: `
    select m.handed_back, m.base_handed_back, c.credited, c.base_credited
    from (
      select coalesce(sum(memo.grand_total - legs.amount), 0) as handed_back,
             coalesce(sum(memo.base_grand_total - legs.base_amount), 0) as base_handed_back
      from sales_creditmemo memo
      cross join lateral (
        select coalesce(sum(r.amount), 0) as amount, coalesce(sum(r.base_amount), 0) as base_amount
        from order_credit_return r join order_credit o on o.credit_id = r.credit_id
        where r.credit_memo_id = memo.entity_id and o.applies_as = 'tender'
      ) legs
      where memo.order_id = $orderId and memo.state <> 3 and memo.figures_from <> 'save' and coalesce(
        case when memo.is_online or memo.refund_attempt_id is not null then 'original_payment' end,
        (select 'layaway' from layaway_cancellation where credit_memo_id = memo.entity_id),
        (select min(coalesce(refund_method, 'cash')) from sale_return where credit_memo_id = memo.entity_id),
        (select min(case resolution when 'refund' then 'cash' else resolution end) from return_process
          where credit_memo_id = memo.entity_id),
        case when memo.transaction_id is not null then 'referenced' else 'by_hand' end) = any($ways)
    ) m
    cross join (
      select coalesce(sum(amount), 0) as credited, coalesce(sum(base_amount), 0) as base_credited
      from credit_refund where order_id = $orderId and state <> 'failed'
    ) c`,
});
