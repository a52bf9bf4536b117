import type { Invariant } from '../invariant.ts';

/** Collapsed returns: goods back and money back in one call. */
export const processInvariants: readonly Invariant[] = [
  {
    id: 'P-01',
    sentence: 'A collapsed return that is done has a credit memo of its order, alone, and its return has the same.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.order_id, p.credit_memo_id, m.order_id as memo_of_order, r.credit_memo_id as memo_of_return
      from return_process p
      join sales_creditmemo m on m.entity_id = p.credit_memo_id
      left join sale_return r on r.return_id = p.return_id
      where m.order_id <> p.order_id or (p.return_id is not null and r.credit_memo_id is distinct from p.credit_memo_id)
         or exists (select from return_process o where o.credit_memo_id = p.credit_memo_id and o.process_id <> p.process_id)`,
  },
  {
    id: 'P-02',
    sentence: 'Store credit that a collapsed return issued is in the books of refunds to credit, once, to the cent.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.store_credit_issued, coalesce(sum(c.amount), 0) as refunded_to_credit, count(c.*) as times
      from return_process p
      left join credit_refund c on c.order_id = p.order_id and c.request_key = 'process-' || p.credit_memo_id
        and c.state = 'booked'
      where p.credit_memo_id is not null
      group by p.process_id, p.store_credit_issued
      having p.store_credit_issued <> coalesce(sum(c.amount), 0) or count(c.*) > 1`,
  },
  {
    id: 'P-03',
    sentence: 'A run that did not go through says why, and so does the history of its order.',
    needsQuiet: false,
    sql: `
      select p.process_id, p.order_id, p.state, p.refusal ->> 'message' as message
      from return_process p
      where p.state in ('refused', 'failed', 'unattempted') and ((p.refusal is null) <> (p.state = 'unattempted') or not exists (
        select from sales_order_status_history h where h.parent_id = p.order_id and h.comment like 'A return%processed%'))`,
  },
];
