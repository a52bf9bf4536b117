import type { EntityManager } from '@mikro-orm/postgresql';
import { definite, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { markColumns, marks } from './read-lists.ts';

/** Whether a press of a button did what it asked for, or another press had done it: for the page that follows. */

const ofReturn = sql('presses.ofReturn', { gives: { status: definite(text) } })`
  with changes as (
    select o.operation_key, o.by_name, coalesce(a.updated_at, o.created_at) as at, o.changed_to
    from sale_return_operation o
    left join refund_attempt a on a.attempt_id = o.refund_attempt_id and a.state = 'booked'
    where o.return_id = $returnId and (o.changed_to is not null or a.attempt_id is not null))
  select exists (select from changes c where c.operation_key = $key) as is_own, l.by_name as by,
    coalesce(l.at, r.updated_at) as at, r.status,
    case when r.credit_memo_id is not null then coalesce((select a.payment_method from refund_attempt a
      where a.credit_memo_id = r.credit_memo_id order by a.attempt_id desc limit 1), r.refund_method) end as tender
  from sale_return r
  left join lateral (select by_name, at from changes order by at desc limit 1) l on true
  where r.return_id = $returnId`;

export type PressOnReturn = RowFrom<typeof ofReturn>;

/**
 * What a press on a return led to: whether it changed the return, and who changed it last, when, and by which method
 * money went back. Operations are stored for a week; before, the last change has no name.
 *
 * @param key the name of the press
 */
export const pressOnReturn = (
  em: EntityManager,
  press: { returnId: number; key: string },
): Promise<PressOnReturn | undefined> => ofReturn.first(em, press);

const lastOf = sql('presses.lastOf')`
  select log_id, field_name, new_value, created_at, staff_name as by from pos_audit_log
  where entity_id = $id and entity_type = $kind and field_name = any($fields::text[])
  order by log_id desc limit 1`;

/** An act in the audit trail. */
export type Act = RowFrom<typeof lastOf>;

/** The last of these acts on an object, by the audit trail; undefined: there was none. */
export const lastAct = (
  em: EntityManager,
  { kind, id, fields }: { kind: string; id: number | string; fields: readonly string[] },
): Promise<Act | undefined> => lastOf.first(em, { kind, id: String(id), fields: [...fields] });

const codeMark = sql('presses.codeMark')`
  select md5(coalesce(activation_code, '')) as mark from pos_terminal where terminal_id = $terminalId`;

/** Changes with each new activation code, and tells nothing of it; undefined for an unknown terminal. */
export const codeMarkOf = async (em: EntityManager, terminalId: number): Promise<string | undefined> =>
  (await codeMark.first(em, { terminalId }))?.mark;

const staffMarks = sql('presses.staffMarks', { gives: marks })`
  select ${markColumns} from pos_staff m where m.staff_id = $staffId`;

export const marksOfStaff = (em: EntityManager, staffId: number): Promise<RowFrom<typeof staffMarks> | undefined> =>
  staffMarks.first(em, { staffId });
