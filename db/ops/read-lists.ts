import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { Mail } from '../mails/mail.entity.ts';
import { Receipt } from '../receipts/receipt.entity.ts';
import { isWithoutOrder } from '../receipts/receipts-without-order.ts';
import { Return } from '../returns/return.entity.ts';
import { recordAudit } from '../audit/record-audit.ts';
import {
  amount,
  count,
  day,
  flag,
  integer,
  integers,
  json,
  listOf,
  moment,
  orNull,
  surely,
  text,
  type Kind,
} from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
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
  pieces: surely(text),
  doubt: orNull(integer),
  lines: listOf({ id: integer, name: text, sku: text, qty: text }),
};
export type OpenReturn = RowFrom<typeof returns>;

const returnText = `
    select r.return_id, r.increment_id, r.order_id, r.status, r.created_at, r.refund_method, r.is_ready, r.location_id,
      o.increment_id as order_number, l.name as location_name,
      (select coalesce(sum(i.qty_requested), 0)::float8::text from sale_return_item i where i.return_id = r.return_id) as pieces,
      (select a.attempt_id from refund_attempt a where a.return_id = r.return_id and a.state in ('started', 'uncertain')
        limit 1) as doubt,
      (select coalesce(json_agg(json_build_object('id', i.entity_id, 'name', i.product_name, 'sku', i.product_sku,
          'qty', i.qty_requested::float8::text) order by i.entity_id), '[]')
        from sale_return_item i where i.return_id = r.return_id) as lines
    from sale_return r
    join sales_order o on o.entity_id = r.order_id
    left join pos_location l on l.location_id = r.location_id
    where ($locationIds::int[] is null or r.location_id = any($locationIds::int[]))`;

const returns = statement({
  takes: { locationIds: orNull(integers), most: integer },
  gives: returnRow,
  text: `${returnText} and r.status in (${open}) order by r.created_at limit $most`,
});

const oneReturn = statement({
  takes: { locationIds: orNull(integers), returnId: integer },
  gives: returnRow,
  text: `${returnText} and r.return_id = $returnId`,
});

/** Returns that are not over, the oldest first. */
export const oldestReturns = (em: EntityManager, seen: Seen & { most: number }): Promise<OpenReturn[]> =>
  returns.all(em, seen);

/** One return, over or not; undefined where there is none, or where it is of another's shop. */
export const returnSeen = (em: EntityManager, seen: Seen & { returnId: number }): Promise<OpenReturn | undefined> =>
  oneReturn.first(em, seen);

const shops = statement({
  takes: { locationIds: orNull(integers) },
  gives: { locationId: integer, name: text },
  text: `
    select location_id, name from pos_location
    where is_active and ($locationIds::int[] is null or location_id = any($locationIds::int[])) order by name limit 500`,
});

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

const tills = statement({
  takes: { most: integer },
  gives: {
    terminalId: integer,
    name: text,
    locationName: orNull(text),
    isActive: flag,
    isBound: surely(flag),
    activationCode: orNull(text),
    lastSeenAt: orNull(moment),
    licenseType: orNull(text),
    licenseStatus: orNull(text),
    licenseEndsAt: orNull(moment),
    versions: surely(text),
    configHash: orNull(text),
    fetchedAt: orNull(moment),
    agent: orNull(text),
    appVersion: orNull(text),
  },
  text: `
    select t.terminal_id, t.name, l.name as location_name, t.is_active, t.device_identifier is not null as is_bound,
      case when t.activation_used_at is null then t.activation_code end as activation_code, h.last_seen_at,
      c.license_type, c.license_status, c.expires_at as license_ends_at,
      ${versionsOfTerminal('t', 'l')} as versions, s.config_hash, s.fetched_at, s.agent, s.app_version
    from pos_terminal t
    left join pos_location l on l.location_id = t.location_id
    left join pos_terminal_heartbeat h on h.terminal_id = t.terminal_id
    left join pos_license c on c.license_id = t.license_id
    left join pos_terminal_software s on s.terminal_id = t.terminal_id
    order by t.terminal_id limit $most`,
});

export const allTills = (em: EntityManager, most: number): Promise<RowFrom<typeof tills>[]> => tills.all(em, { most });

const telemetry = statement({
  takes: {},
  gives: { locationId: integer, name: surely(text), day, count: surely(count) },
  text: `
    select s.location_id, coalesce(l.name, '?') as name, s.day, sum(s.event_count)::bigint as count
    from pos_telemetry_summary s left join pos_location l on l.location_id = s.location_id
    where s.day >= current_date - 14 group by s.location_id, l.name, s.day order by 2, 3`,
});

/** How many events each shop's registers sent on each of the last days. */
export const telemetryByDay = (em: EntityManager): Promise<RowFrom<typeof telemetry>[]> => telemetry.all(em);

const staff = statement({
  takes: { most: integer },
  gives: {
    staffId: integer,
    name: surely(text),
    email: text,
    emailKey: text,
    role: text,
    permissions: text,
    isActive: flag,
    hasFactor: surely(flag),
    shops: orNull(text),
  },
  text: `
    select m.staff_id, concat_ws(' ', m.first_name, m.last_name) as name, m.email, m.email_key, r.name as role,
      r.permissions, m.is_active,
      exists (select from ops_second_factor f where f.user_kind = 'staff' and f.user_id = m.staff_id
        and f.confirmed_at is not null) as has_factor,
      (select string_agg(l.name, ', ' order by l.name) from pos_staff_location a
        join pos_location l on l.location_id = a.location_id where a.staff_id = m.staff_id and not m.all_locations) as shops
    from pos_staff m join pos_role r on r.role_id = m.role_id
    order by m.is_active desc, m.last_name, m.first_name, m.staff_id limit $most`,
});

const locked = statement({
  takes: {},
  gives: { digest: text, until: surely(moment) },
  text: `
    select email_digest as digest, blocked_until as until from pos_staff_login_failure
    where blocked_until > now() limit 10000`,
});

export type StaffMember = RowFrom<typeof staff> & { lockedUntil: Date | undefined };

/** Everybody of the staff, with who has to wait after wrong passcodes. */
export async function allStaff(em: EntityManager, most: number): Promise<StaffMember[]> {
  const waits = new Map((await locked.all(em)).map(({ digest, until }) => [digest, until]));
  const members = await staff.all(em, { most });
  return members.map((member) => ({ ...member, lockedUntil: waits.get(failureDigest(member.emailKey)) }));
}

const mails = statement({
  takes: { most: integer },
  gives: { ...of(Mail, 'mailId', 'kind', 'state', 'tries', 'reason', 'dueAt', 'createdAt'), canGoAgain: surely(flag) },
  text: `
    (select mail_id, kind, state, tries, reason, due_at, created_at, kind in ('refund', 'document') as can_go_again
      from mail_outbox where state = 'dropped' order by updated_at desc limit $most)
    union all
    (select mail_id, kind, state, tries, reason, due_at, created_at, true
      from mail_outbox where state = 'waiting' and tries > 0 order by due_at limit $most)`,
});

/** Mails that could not go: given up, or tried and waiting. */
export const stuckMails = (em: EntityManager, most: number): Promise<RowFrom<typeof mails>[]> =>
  mails.all(em, { most });

const again = statement({
  takes: { mailId: integer },
  text: `
    update mail_outbox set state = 'waiting', tries = case when state = 'dropped' then 0 else tries end, due_at = now(),
      reason = null, updated_at = now()
    where mail_id = $mailId and (state = 'waiting' and tries > 0 or state = 'dropped' and kind in ('refund', 'document'))`,
});

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

const receiptRow = {
  ...of(Receipt, 'receiptId', 'posOrderId', 'orderIncrementId', 'grandTotal', 'currency', 'paymentMethod'),
  ...of(Receipt, 'staffName', 'terminalName', 'locationName'),
  storedAt: moment,
};

const receiptColumns = `r.receipt_id, r.pos_order_id, r.order_increment_id, r.grand_total, r.currency, r.payment_method,
  r.staff_name, r.terminal_name, r.location_name, r.updated_at as stored_at`;

const receipts = statement({
  takes: { most: integer },
  gives: receiptRow,
  text: `
    (select ${receiptColumns} from pos_receipt r
      where r.order_increment_id is null and r.sale_type is distinct from 'refund' order by r.receipt_id limit $most)
    union all
    (select ${receiptColumns} from pos_receipt r
      where r.order_increment_id is not null and ${isWithoutOrder}
        and r.created_at > now() - interval '${daysOfUnknownNumbers} days' order by r.created_at limit $most)
    order by receipt_id limit $most`,
});

/**
 * Sales that have a receipt and no order, the oldest first. Those that name a number which no order has are of the last
 * month; `pos receipts` finds the older ones too.
 */
export const receiptsWithoutOrder = (em: EntityManager, most: number): Promise<RowFrom<typeof receipts>[]> =>
  receipts.all(em, { most });

const layaways = statement({
  takes: { locationIds: orNull(integers), most: integer },
  gives: {
    orderId: integer,
    orderNumber: text,
    status: surely(text),
    owed: surely(amount),
    total: surely(amount),
    currency: text,
    expiresAt: orNull(moment),
    customer: orNull(text),
    shop: orNull(text),
  },
  text: `
    select o.entity_id as order_id, o.increment_id as order_number, o.pos_layaway_status as status, o.total_due as owed,
      o.grand_total as total, o.order_currency_code as currency, o.pos_layaway_expires_at as expires_at,
      nullif(concat_ws(' ', o.customer_firstname, o.customer_lastname), '') as customer, c.location_name as shop
    from sales_order o
    left join lateral (select p.location_name, p.location_id from pos_receipt p where p.order_increment_id = o.increment_id
      order by p.receipt_id limit 1) c on true
    where o.pos_layaway_status in ('stale', 'open') and o.state <> 'canceled'
      and (o.pos_layaway_status = 'stale' or o.pos_layaway_expires_at <= now())
      and ($locationIds::int[] is null or c.location_id = any($locationIds::int[]))
    order by o.pos_layaway_expires_at nulls last, o.entity_id limit $most`,
});

/** Layaways whose time is over, the longest first. */
export const overdueLayaways = (
  em: EntityManager,
  seen: Seen & { most: number },
): Promise<RowFrom<typeof layaways>[]> => layaways.all(em, seen);

const totals = statement({
  takes: { locationIds: orNull(integers), from: moment, to: moment },
  gives: {
    locationId: orNull(integer),
    shop: orNull(text),
    tender: surely(text),
    currency: surely(text),
    sales: surely(count),
    sold: surely(amount),
    refunds: surely(count),
    refunded: surely(amount),
    byHour: surely(json<{ hour: string; sum: number }[]>()),
  },
  text: `
    with moved as (
      select p.location_id, coalesce(p.payment_method, '?') as tender, coalesce(p.currency, '?') as currency, p.created_at,
        coalesce(p.grand_total, 0) as sum, false as is_refund
      from pos_receipt p
      where p.created_at >= $from and p.created_at < $to and p.sale_type is distinct from 'refund'
      union all
      select coalesce(r.location_id, c.location_id), coalesce(a.payment_method, r.refund_method, y.method, '?'),
        o.order_currency_code, m.created_at, m.grand_total, true
      from sales_creditmemo m
      join sales_order o on o.entity_id = m.order_id
      left join sales_order_payment y on y.order_id = o.entity_id
      left join sale_return r on r.credit_memo_id = m.entity_id
      left join refund_attempt a on a.credit_memo_id = m.entity_id
      left join lateral (select location_id from pos_receipt where order_increment_id = o.increment_id
        order by receipt_id limit 1) c on true
      where m.created_at >= $from and m.created_at < $to and m.figures_from <> 'save'),
    own as (
      select * from moved where $locationIds::int[] is null or location_id = any($locationIds::int[])),
    hours as (
      select location_id, tender, currency, date_trunc('hour', created_at) as hour, sum(sum)::float8 as sum
      from own where not is_refund group by 1, 2, 3, 4)
    select s.location_id, l.name as shop, s.tender, s.currency,
      count(*) filter (where not s.is_refund) as sales,
      coalesce(sum(s.sum) filter (where not s.is_refund), 0) as sold,
      count(*) filter (where s.is_refund) as refunds,
      coalesce(sum(s.sum) filter (where s.is_refund), 0) as refunded,
      (select coalesce(json_agg(json_build_object('hour', h.hour, 'sum', h.sum) order by h.hour), '[]') from hours h
        where h.location_id is not distinct from s.location_id and h.tender = s.tender and h.currency = s.currency) as by_hour
    from own s left join pos_location l on l.location_id = s.location_id
    group by s.location_id, l.name, s.tender, s.currency order by l.name nulls last, s.tender`,
});

export type DayTotal = RowFrom<typeof totals>;

/**
 * What was sold and taken back between two moments, by shop and way of paying: sales from the receipts of the registers,
 * returns from the credit memos.
 */
export const totalsBetween = (em: EntityManager, asked: Seen & { from: Date; to: Date }): Promise<DayTotal[]> =>
  totals.all(em, asked);

const credit = statement({
  takes: { locationIds: orNull(integers), from: moment, to: moment },
  gives: {
    shop: orNull(text),
    kind: surely(text as Kind<CreditKind>),
    currency: surely(text),
    count: surely(count),
    given: surely(amount),
  },
  text: `
    with given as (
      select k.order_id, r.location_id, k.kind, b.amount, o.order_currency_code as currency
      from order_credit_return b
      join order_credit k on k.credit_id = b.credit_id
      join sales_order o on o.entity_id = k.order_id
      left join sale_return r on r.credit_memo_id = b.credit_memo_id
      where b.created_at >= $from and b.created_at < $to and b.amount > 0
      union all
      select f.order_id, null, f.kind, f.amount, f.currency_code
      from credit_refund f where f.state = 'booked' and f.concluded_at >= $from and f.concluded_at < $to
      union all
      select null, null, 'store_credit', e.delta, w.base_currency_code
      from store_credit_entry e join store_credit_wallet w on w.wallet_id = e.wallet_id
      where e.booking_key is null and e.delta > 0 and e.created_at >= $from and e.created_at < $to
      union all
      select null, null, 'gift_card', e.delta, g.base_currency_code
      from gift_card_entry e join gift_card g on g.card_id = e.card_id
      where e.order_id is null and e.delta > 0 and e.created_at >= $from and e.created_at < $to)
    select l.name as shop, g.kind, g.currency, count(*) as count, sum(g.amount) as given
    from given g
    left join lateral (select p.location_id from sales_order o join pos_receipt p on p.order_increment_id = o.increment_id
      where o.entity_id = g.order_id order by p.receipt_id limit 1) c on true
    left join pos_location l on l.location_id = coalesce(g.location_id, c.location_id)
    where $locationIds::int[] is null or l.location_id = any($locationIds::int[])
    group by l.location_id, l.name, g.kind, g.currency order by l.name nulls last, g.kind, g.currency`,
});

export type CreditGiven = RowFrom<typeof credit>;

/**
 * The credit that customers were given between two moments, by shop: back from sales, for refunds, and by the office, which
 * has no shop.
 */
export const creditGivenBetween = (em: EntityManager, asked: Seen & { from: Date; to: Date }): Promise<CreditGiven[]> =>
  credit.all(em, asked);

const waiting = statement({
  takes: { locationIds: orNull(integers) },
  gives: { openReturns: surely(count), doubts: surely(count) },
  text: `
    select (select count(*) from sale_return r where r.status in (${open})
        and ($locationIds::int[] is null or r.location_id = any($locationIds::int[]))) as open_returns,
      (select count(*) from refund_attempt a left join sale_return r on r.return_id = a.return_id
        where a.state = 'uncertain' and ($locationIds::int[] is null or r.location_id = any($locationIds::int[]))) as doubts`,
});

/** What waits for a person now. */
export const whatWaits = (em: EntityManager, seen: Seen): Promise<RowFrom<typeof waiting> | undefined> =>
  waiting.first(em, seen);
