import type { EntityManager } from '@mikro-orm/postgresql';
import type { Quantity } from '../../domain/money.ts';
import { isRefunded } from '../../domain/returns/resolution.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { Mail } from '../mails/mail.entity.ts';
import { isWithoutOrder } from '../receipts/receipts-without-order.ts';
import { Return } from '../returns/return.entity.ts';
import { recordAudit } from '../audit/record-audit.ts';
import {
  amount,
  integer,
  integers,
  listOf,
  moment,
  orNull,
  definite,
  quantity,
  text,
} from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { versionsOfTerminal } from '../terminals/terminal.repository.ts';
import { failureDigest } from '../staff/login-attempts.ts';
import type { Decider, Seen } from './doubts.ts';

/** The lists of the operator's page. Each is read by an index and ends at a limit: a shop of any age opens as fast. */

const open = openStatuses.map((status) => `'${status}'`).join(', ');

const returnRow = {
  ...of(Return, 'returnId', 'incrementId', 'orderId', 'status', 'createdAt', 'refundMethod', 'isReady', 'locationId'),
  orderNumber: text,
  locationName: orNull(text),
  pieces: definite(text),
  doubt: orNull(integer),
  lines: listOf({ id: integer, name: text, sku: text, qty: text }),
};
export type OpenReturn = RowFrom<typeof returns>;

const returnText = `
    select r.return_id, r.increment_id, r.order_id, r.status, r.created_at, r.refund_method, r.is_ready, r.location_id,
      o.increment_id as order_number, l.name as location_name,
      (select coalesce(sum(i.qty_requested), 0)::float8::text from sale_return_item i
        where i.return_id = r.return_id) as pieces,
      (select a.attempt_id from refund_attempt a where a.return_id = r.return_id and a.state in ('started', 'uncertain') and a.line_outcome is null
        limit 1) as doubt,
      (select coalesce(json_agg(json_build_object('id', i.entity_id, 'name', i.product_name, 'sku', i.product_sku,
          'qty', i.qty_requested::float8::text) order by i.entity_id), '[]')
        from sale_return_item i where i.return_id = r.return_id) as lines
    from sale_return r
    join sales_order o on o.entity_id = r.order_id
    left join pos_location l on l.location_id = r.location_id
    where ($locationIds::bigint[] is null or r.location_id = any($locationIds::bigint[]))`;

const returns = sql('read-lists.returns', {
  takes: { locationIds: orNull(integers) },
  gives: returnRow,
})`${returnText} and r.status in (${open}) order by r.created_at limit $most`;

const oneReturn = sql('read-lists.oneReturn', {
  takes: { locationIds: orNull(integers) },
  gives: returnRow,
})`${returnText} and r.return_id = $returnId`;

/** Returns that are not over, the oldest first. */
export const oldestReturns = (em: EntityManager, seen: Seen & { most: number }): Promise<OpenReturn[]> =>
  returns.all(em, seen);

/** One return, over or not; undefined where there is none, or where it is of another's shop. */
export const returnSeen = (em: EntityManager, seen: Seen & { returnId: number }): Promise<OpenReturn | undefined> =>
  oneReturn.first(em, seen);

const outcome = sql('read-lists.outcome', { gives: { cameIn: listOf({ name: text, qty: text }) } })`
  select m.increment_id as memo_number, m.grand_total as given_back, o.order_currency_code as currency,
    (select coalesce(sum(b.amount), 0) from order_credit_return b
      where b.credit_memo_id = r.credit_memo_id) as as_credit,
    (select coalesce(json_agg(json_build_object('name', i.product_name, 'qty', v.quantity::float8::text)
        order by v.movement_id), '[]')
      from sale_return_movement v join sale_return_item i on i.entity_id = v.return_item_id
      where i.return_id = r.return_id and v.kind <> 'closed') as came_in
  from sale_return r join sales_order o on o.entity_id = r.order_id
  left join sales_creditmemo m on m.entity_id = r.credit_memo_id
  where r.return_id = $returnId`;

/** What a return led to: the goods that came in, the money that went back, and its credit memo. */
export const outcomeOfReturn = (em: EntityManager, returnId: number): Promise<RowFrom<typeof outcome> | undefined> =>
  outcome.first(em, { returnId });

const refundedLines = sql('read-lists.refundedLines', { gives: { qty: definite(quantity) } })`
  select order_item_id, coalesce(qty_approved, qty_requested) as qty, resolution_mode, refund_method
  from sale_return_item where return_id = $returnId order by entity_id`;

/** The lines whose money a settlement gives back, for its preview. */
export async function linesToRefund(
  em: EntityManager,
  returnId: number,
): Promise<{ orderItemId: number; qty: Quantity }[]> {
  const lines = await refundedLines.all(em, { returnId });
  return lines.filter(isRefunded).map(({ orderItemId, qty }) => ({ orderItemId, qty }));
}

const shops = sql('read-lists.shops')`
  select location_id, name from pos_location
  where is_active and ($locationIds?::bigint[] is null or location_id = any($locationIds::bigint[])) order by name
    limit 500`;

export const shopsOf = (em: EntityManager, seen: Seen): Promise<RowFrom<typeof shops>[]> => shops.all(em, seen);

/** What a person did on the operator's page, with the reason. */
export const auditOps = (
  em: EntityManager,
  act: { kind: string; id: number; did: string; reason: string; by: Decider },
): Promise<void> =>
  recordAudit(em, {
    ...{ entityType: act.kind, entityId: act.id, fieldName: act.did, newValue: act.reason, changeSource: 'admin' },
    ...{ staffId: act.by.staffId, staffName: act.by.name },
  });

const tills = sql('read-lists.tills', {
  gives: { licenseType: orNull(text), licenseStatus: orNull(text), versions: definite(text) },
})`
  select t.terminal_id, t.name, l.name as location_name, t.is_active, t.device_identifier is not null as is_bound,
    case when t.activation_used_at is null then t.activation_code end as activation_code,
    md5(coalesce(t.activation_code, '')) as code_mark, h.last_seen_at,
    c.license_type, c.license_status, c.expires_at as license_ends_at,
    ${versionsOfTerminal('t', 'l')} as versions, s.config_hash, s.fetched_at, s.agent, s.app_version
  from pos_terminal t
  left join pos_location l on l.location_id = t.location_id
  left join pos_terminal_heartbeat h on h.terminal_id = t.terminal_id
  left join pos_license c on c.license_id = t.license_id
  left join pos_terminal_software s on s.terminal_id = t.terminal_id
  order by t.terminal_id limit $most`;

export const allTills = (em: EntityManager, most: number): Promise<RowFrom<typeof tills>[]> => tills.all(em, { most });

const mostOfToday = 200_000;

const telemetry = sql('read-lists.telemetry')`
  select s.location_id, coalesce(l.name, '?') as name, s.day, sum(s.event_count)::bigint as count
  from (
    select location_id, day, event_count from pos_telemetry_summary where day >= $today::date - 14 and day < $today::date
    union all
    select e.location_id, $today::date, count(*) from (
      select location_id from pos_telemetry_event where recorded_on = $today::date limit ${mostOfToday}) e
        group by 1) s
  left join pos_location l on l.location_id = s.location_id
  group by s.location_id, l.name, s.day order by 2, 3`;

/** How many events each shop's registers sent on each of the last days, up to the day that is `today` there. */
export const telemetryByDay = (em: EntityManager, today: string): Promise<RowFrom<typeof telemetry>[]> =>
  telemetry.all(em, { today });

/** Changes with each new passcode and second factor, and tells nothing of them. */
export const marks = { passcodeMark: definite(text), factorMark: definite(text) };
export const markColumns = `md5(coalesce(m.passcode_hash, '')) as passcode_mark,
  coalesce((select md5(f.sealed_secret) from ops_second_factor f where f.user_kind = 'staff' and f.user_id = m.staff_id),
    'none') as factor_mark`;

const staff = sql('read-lists.staff', { gives: { shops: orNull(text) } })`
  select m.staff_id, concat_ws(' ', m.first_name, m.last_name) as name, m.email, m.email_key, r.name as role,
    r.permissions, m.is_active, ${markColumns},
    exists (select from ops_second_factor f where f.user_kind = 'staff' and f.user_id = m.staff_id
      and f.confirmed_at is not null) as has_factor,
    (select string_agg(l.name, ', ' order by l.name) from pos_staff_location a
      join pos_location l on l.location_id = a.location_id where a.staff_id = m.staff_id
        and not m.all_locations) as shops
  from pos_staff m join pos_role r on r.role_id = m.role_id
  order by m.is_active desc, m.last_name, m.first_name, m.staff_id limit $most`;

const locked = sql('read-lists.locked', { gives: { until: definite(moment) } })`
  select email_digest as digest, blocked_until as until from pos_staff_login_failure
  where blocked_until > now() limit 10000`;

export type StaffMember = RowFrom<typeof staff> & { lockedUntil: Date | undefined };

/** Everybody of the staff, with who has to wait after wrong passcodes. */
export async function allStaff(em: EntityManager, most: number): Promise<StaffMember[]> {
  const waits = new Map((await locked.all(em)).map(({ digest, until }) => [digest, until]));
  const members = await staff.all(em, { most });
  return members.map((member) => ({ ...member, lockedUntil: waits.get(failureDigest(member.emailKey)) }));
}

const mailColumns = `m.mail_id, m.mail_key, m.kind, m.state, m.tries, m.reason, m.due_at, m.created_at, m.updated_at,
  m.credit_memo_id, m.attempt_id, m.subscriber_id, m.customer_id, m.document_name, m.document_id, m.receipt_id`;

/** The document that a mail of a document is about. */
const ofDocument = (name: string, table: string) =>
  `(select d.order_id from ${table} d where m.document_name = '${name}' and d.entity_id = m.document_id)`;

const mails = sql('read-lists.mails', { gives: of(Mail, 'kind', 'state') })`
  with stuck as (
    (select ${mailColumns}, m.kind in ('refund', 'document') as can_go_again
      from mail_outbox m where m.state = 'dropped' and m.reason is distinct from 'answered_meanwhile'
        and not exists (select from refund_attempt a where a.attempt_id = m.attempt_id and a.state in ('booked',
          'failed'))
      order by m.updated_at desc limit $most)
    union all
    (select ${mailColumns}, true from mail_outbox m where m.state = 'waiting' and m.tries > 0
      order by m.due_at limit $most))
  select m.mail_id, m.mail_key, m.kind, m.state, m.tries, m.reason, m.due_at, m.created_at, m.can_go_again,
    case when m.kind in ('uncertain_refund', 'endpoint_paused', 'receipt') then null
      else coalesce(c.email, n.email, o.customer_email) end as email,
    o.entity_id as order_id, o.increment_id as order_number, r.return_id, r.increment_id as return_number
  from stuck m
  left join refund_attempt a on a.attempt_id = m.attempt_id
  left join sales_creditmemo k on k.entity_id = m.credit_memo_id
  left join customer c on c.id = m.customer_id
  left join newsletter_subscriber n on n.subscriber_id = m.subscriber_id
  left join sales_order o on o.entity_id = coalesce(a.order_id, k.order_id,
    case when m.document_name = 'order' then m.document_id end,
    ${ofDocument('invoice', 'sales_invoice')}, ${ofDocument('shipment', 'sales_shipment')},
    ${ofDocument('creditmemo', 'sales_creditmemo')},
    (select t.entity_id from pos_receipt p join sales_order t on t.increment_id = p.order_increment_id
      where p.receipt_id = m.receipt_id limit 1))
  left join sale_return r on r.return_id = coalesce(a.return_id,
    (select x.return_id from sale_return x where x.credit_memo_id = m.credit_memo_id limit 1))
  order by m.state, case when m.state = 'dropped' then m.updated_at end desc, m.due_at`;

/** Mails that could not go: given up, or tried and waiting. */
export const stuckMails = (em: EntityManager, most: number): Promise<RowFrom<typeof mails>[]> =>
  mails.all(em, { most });

const again = sql('read-lists.again')`
  update mail_outbox set state = 'waiting', tries = case when state = 'dropped' then 0 else tries end, due_at = now(),
    reason = null, updated_at = now()
  where mail_id = $mailId and (state = 'waiting' and tries > 0 or state = 'dropped' and kind in ('refund',
    'document'))`;

/** Makes a mail due again; one that was sent meanwhile stays as it is. @returns whether it goes again */
export async function sendMailAgain(
  em: EntityManager,
  { mailId, reason, by }: { mailId: number; reason: string; by: Decider },
): Promise<boolean> {
  return transact(em, async (tx) => {
    if ((await again.run(tx, { mailId })) === 0) return false;
    await auditOps(tx, { kind: 'mail', id: mailId, did: 'send_again', reason, by });
    return true;
  });
}

/** So long an order may still come whose number a receipt names. */
const daysOfUnknownNumbers = 35;

const receiptColumns = `r.receipt_id, r.pos_order_id, r.order_increment_id, r.grand_total, r.currency, r.payment_method,
  r.staff_name, coalesce(r.terminal_name, (select t.name from pos_terminal t where t.terminal_id = r.terminal_id)) as
  terminal_name, coalesce(r.location_name, (select l.name from pos_location l where l.location_id = r.location_id)) as
  location_name, r.updated_at as stored_at`;

const receipts = sql('read-lists.receipts')`
  (select ${receiptColumns} from pos_receipt r
    where r.order_increment_id is null and r.sale_type is distinct from 'refund' order by r.receipt_id limit $most)
  union all
  (select ${receiptColumns} from pos_receipt r
    where r.order_increment_id is not null and ${isWithoutOrder}
      and r.created_at > now() - interval '${daysOfUnknownNumbers} days' order by r.created_at limit $most)
  order by receipt_id limit $most`;

/**
 * Sales that have a receipt and no order, the oldest first. Those that name a number which no order has are of the last
 * month; `pos receipts` finds the older ones too.
 */
export const receiptsWithoutOrder = (em: EntityManager, most: number): Promise<RowFrom<typeof receipts>[]> =>
  receipts.all(em, { most });

const layaways = sql('read-lists.layaways', {
  gives: { status: definite(text), owed: definite(amount), customer: orNull(text) },
})`
  select o.entity_id as order_id, o.increment_id as order_number, o.pos_layaway_status as status, o.total_due as owed,
    o.grand_total as total, o.order_currency_code as currency, o.pos_layaway_expires_at as expires_at,
    coalesce(nullif(concat_ws(' ', o.customer_firstname, o.customer_lastname), ''), c.customer_name, o.customer_email)
      as customer, c.location_name as shop
  from sales_order o
  left join lateral (select coalesce(p.location_name, (select l.name from pos_location l
    where l.location_id = p.location_id)) as
    location_name, p.location_id, p.customer_name from pos_receipt p where p.order_increment_id = o.increment_id
    order by p.receipt_id limit 1) c on true
  where o.pos_layaway_status in ('stale', 'open') and o.state <> 'canceled'
    and (o.pos_layaway_status = 'stale' or o.pos_layaway_expires_at <= now())
    and ($locationIds?::bigint[] is null or c.location_id = any($locationIds::bigint[]))
  order by o.pos_layaway_expires_at nulls last, o.entity_id limit $most`;

/** Layaways whose time is over, the longest first. */
export const overdueLayaways = (
  em: EntityManager,
  seen: Seen & { most: number },
): Promise<RowFrom<typeof layaways>[]> => layaways.all(em, seen);
