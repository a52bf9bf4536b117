import { isWithoutOrder } from '../../../db/receipts/receipts-without-order.ts';
import { longestTransaction } from '../../../db/telemetry/find-due-days.ts';
import type { Invariant } from '../invariant.ts';

/** Held carts, receipts, devices. */
export const registerInvariants: readonly Invariant[] = [
  {
    id: 'I-01',
    sentence: 'A held cart exists once, and a recalled one has its person and time.',
    needsQuiet: false,
    sql: `
      select cart_key, count(*) as carts, min(recalled_at) as recalled_at,
        min(recalled_by_staff_id) as recalled_by_staff_id
      from pos_held_cart group by cart_key
      having count(*) > 1 or (min(recalled_at) is null) <> (min(recalled_by_staff_id) is null)`,
  },
  {
    id: 'I-03',
    sentence: 'A recalled cart was not parked again since, but by its claimant, which frees it.',
    needsQuiet: false,
    sql: `
      select held_cart_id, parked_at, recalled_at, recalled_by_staff_id from pos_held_cart
        where parked_at > recalled_at`,
  },
  {
    id: 'I-20',
    sentence: 'A register sale has one receipt at most.',
    needsQuiet: false,
    sql: `
      select pos_order_id, count(*) as receipts from pos_receipt group by pos_order_id having count(*) > 1`,
  },
  {
    id: 'I-20b',
    sentence: 'The receipt of a sale carries the number of an order of that sale, once there is one.',
    needsQuiet: true,
    sql: `
      select r.receipt_id, r.pos_order_id, r.order_increment_id, min(o.increment_id) as order_of_sale
      from pos_receipt r join sales_order o on o.pos_sale_id = r.pos_order_id
      group by r.receipt_id, r.pos_order_id, r.order_increment_id
      having not coalesce(bool_or(o.increment_id = r.order_increment_id), false)`,
  },
  {
    id: 'I-20c',
    sentence: 'A register sale is one order at most.',
    needsQuiet: false,
    sql: `
      select pos_sale_id, count(*) as orders, min(entity_id) as first_order, max(entity_id) as last_order
      from sales_order where pos_sale_id is not null group by pos_sale_id having count(*) > 1`,
  },
  {
    id: 'I-20d',
    sentence: 'A sale whose receipt was stored a week ago is an order.',
    needsQuiet: false,
    sql: `
      select r.receipt_id, r.pos_order_id, r.terminal_id, r.order_increment_id, r.grand_total, r.updated_at
      from pos_receipt r
      where ${isWithoutOrder} and r.updated_at < now() - interval '7 days'
      order by r.receipt_id`,
  },
  {
    id: 'I-21',
    sentence: 'A claimed receipt and its order are the same customer’s.',
    needsQuiet: false,
    sql: `
      select r.receipt_id, r.customer_id, r.claimed_order_id, o.customer_id as order_customer_id
      from pos_receipt r join sales_order o on o.entity_id = r.claimed_order_id
      where o.customer_id is distinct from r.customer_id`,
  },
  {
    id: 'I-26',
    sentence: 'A device is one terminal, and an unused activation code opens one.',
    needsQuiet: false,
    sql: `
      select 'device' as bound_by, count(*) as terminals, min(terminal_id) as first_terminal,
        max(terminal_id) as last_terminal
      from pos_terminal where device_identifier is not null group by device_identifier having count(*) > 1
      union all
      select 'unused code', count(*), min(terminal_id), max(terminal_id)
      from pos_terminal where activation_used_at is null and activation_code is not null
      group by activation_code having count(*) > 1`,
  },
];

/** Telemetry that registers sent. */
export const telemetryInvariants: readonly Invariant[] = [
  {
    id: 'I-29',
    sentence: 'The sums of a day of telemetry that is over are those of its events.',
    needsQuiet: true,
    // One week back: a wrong sum would recur every night, and older days have many millions of rows.
    sql: `
      select s.day, s.events as summed_events, r.events, s.total as summed_total, r.total
      from (
        select day, sum(event_count) as events, sum(value_count) as values, sum(value_sum) as total,
          min(summarised_at) as at
        from pos_telemetry_summary where day between current_date - 7 and current_date - 1 group by day
      ) as s
      join (
        select recorded_on as day, count(*) as events, count(value) as values, coalesce(sum(value), 0) as total,
          max(received_at) as last_at
        from pos_telemetry_event where recorded_on between current_date - 7 and current_date - 1 group by recorded_on
      ) as r using (day)
      where r.last_at <= s.at - ${longestTransaction}
        and (s.events, s.values, s.total) is distinct from (r.events, r.values, r.total)`,
  },
  {
    id: 'V-01',
    sentence: 'The digest of each register report is that of its document.',
    needsQuiet: false,
    sql: `
      select report_id, session_id, number, document_hash,
        encode(sha256(convert_to(document, 'UTF8')), 'hex') as real_hash
      from pos_register_report where document_hash <> encode(sha256(convert_to(document, 'UTF8')), 'hex') limit 100`,
  },
  {
    id: 'V-02',
    sentence: 'Register reports of one session and number are marked where there are several, and only there.',
    needsQuiet: false,
    sql: `
      select session_id, number, count(*) as reports, count(*) filter (where conflict) as marked
      from pos_register_report group by session_id, number
      having count(*) filter (where conflict) <> case when count(*) > 1 then count(*) else 0 end limit 100`,
  },
];
