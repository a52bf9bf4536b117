import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { integer, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

export interface ReportedRefund {
  orderId: number;
  returnId: number;
  reference: string;
}

/**
 * A terminal's refund is one memo: its reference belongs to that memo, and to a refund under way that will book one. Other
 * orders may have the same, because terminals count their slips anew. Call it under the order lock.
 *
 * Refused with: 400 `reference_in_use`, naming the memo or the attempt, and its return.
 */
export async function refuseReferenceInUse(em: EntityManager, reported: ReportedRefund): Promise<void> {
  const taken = await findTaker.first(em, reported);
  if (!taken) return;
  const { memoNumber, attemptId, returnNumber } = taken;
  const whose = memoNumber === null ? `refund attempt ${attemptId}, which is under way` : `credit memo ${memoNumber}`;
  const ofReturn = returnNumber === null ? '' : ` of return ${returnNumber}`;
  throw invalid(
    `The reference "${reported.reference}" is that of ${whose}${ofReturn}: a refund of the terminal is settled once.`,
    {
      outcome: 'reference_in_use',
      reference: reported.reference,
      return_id: taken.returnId,
      return_increment_id: returnNumber,
      ...(memoNumber === null
        ? { refund_attempt_id: attemptId }
        : { credit_memo_id: taken.memoId, credit_memo_increment_id: memoNumber }),
    },
  );
}

const findTaker = statement({
  takes: { orderId: integer, returnId: integer, reference: text },
  gives: {
    memoId: orNull(integer),
    memoNumber: orNull(text),
    attemptId: orNull(integer),
    returnId: orNull(integer),
    returnNumber: orNull(text),
  },
  text: `
    select t.memo_id, t.memo_number, t.attempt_id, r.return_id, r.increment_id as return_number
    from (
      select m.entity_id as memo_id, m.increment_id as memo_number, null::int as attempt_id,
        (select y.return_id from sale_return y where y.credit_memo_id = m.entity_id limit 1) as return_id
      from sales_creditmemo m left join refund_attempt a on a.attempt_id = m.refund_attempt_id
      where m.order_id = $orderId and m.figures_from <> 'save' and m.state <> 3
        and $reference in (m.transaction_id, a.plan -> 'reported' ->> 'reference')
      union all
      select null, null, a.attempt_id, a.return_id from refund_attempt a
      where a.order_id = $orderId and a.state in ('started', 'uncertain') and a.return_id is distinct from $returnId
        and a.plan -> 'reported' ->> 'reference' = $reference
    ) t left join sale_return r on r.return_id = t.return_id
    order by t.memo_id limit 1`,
});
