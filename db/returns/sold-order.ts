import type { EntityManager } from '@mikro-orm/postgresql';
import { shopSettings } from '../../domain/configuration/shop-settings.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import { type Quantity, none, parseQuantity } from '../../domain/money/quantity.ts';
import type { SoldLine } from '../../domain/returns/eligibility.ts';
import { returnRulePaths, returnRules, type ReturnRules } from '../../domain/returns/return-rules.ts';
import { query } from '../support/query.ts';

/** An order as the rules of returns look at it, with the rules of its store view. */
export interface SoldOrderRecord {
  orderId: number;
  incrementId: string;
  storeId: number;
  orderedAt: Date;
  isUnsettledLayaway: boolean;
  lines: (SoldLine & { sku: string; isQtyDecimal: boolean })[];
  rules: ReturnRules;
  /** When this was read, by the database's clock. */
  asOf: Date;
}

/**
 * What was sold on an order, what of it already went or is going back, and what its store says about returns: one
 * statement. Refused with: 404 unknown order.
 *
 * Returns that count are those not rejected, denied, or ended without a memo. Of those with a memo the lines it gave back
 * are in `qtyRefunded`; lines that were resolved without money still count, but for a refund or store credit that never
 * came of goods that never came: `cameToNothing`. A collapsed run that is under way without a return counts by itself.
 */
export async function soldOrder(em: EntityManager, orderId: number): Promise<SoldOrderRecord> {
  const [row] = await query<Row>(em, soldText, [orderId, returnRulePaths]);
  if (!row) throw noSuchDocument();
  return {
    orderId,
    incrementId: row.increment_id,
    storeId: row.store_id,
    orderedAt: new Date(row.ordered_at),
    isUnsettledLayaway: row.is_unsettled_layaway,
    lines: row.lines.map(lineOf),
    rules: returnRules(shopSettings(new Map(Object.entries(row.settings)))),
    asOf: new Date(row.as_of),
  };
}

interface LineRow {
  item_id: number;
  sku: string;
  name: string | null;
  qty_invoiced: string;
  qty_refunded: string;
  qty_in_returns: string;
  is_returnable: boolean;
  is_qty_decimal: boolean;
  handed_over_at: string | null;
  percent_off: number | null;
}

interface Row {
  increment_id: string;
  store_id: number;
  ordered_at: string;
  as_of: string;
  is_unsettled_layaway: boolean;
  settings: Record<string, string | null>;
  lines: LineRow[];
}

const lineOf = (row: LineRow): SoldOrderRecord['lines'][number] => ({
  orderItemId: row.item_id,
  sku: row.sku,
  name: row.name ?? '',
  qtyInvoiced: stored(row.qty_invoiced),
  qtyRefunded: stored(row.qty_refunded),
  qtyInReturns: stored(row.qty_in_returns),
  isReturnable: row.is_returnable,
  isQtyDecimal: row.is_qty_decimal,
  handedOverAt: row.handed_over_at === null ? null : new Date(row.handed_over_at),
  percentOff: row.percent_off ?? 0,
});

const stored = (text: string): Quantity => parseQuantity(text) ?? none;

const isoMoment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A line `ri` of a return `r` that ended with neither goods nor money: counted, it could never come back any more. */
const cameToNothing = `r.status = 'resolved' and ri.resolution_mode in ('refund', 'store_credit') and ri.refund_method is null
  and not exists (select from sale_return_movement v where v.return_item_id = ri.entity_id and v.kind = 'received')`;

/** A row's total is without tax; of a discount that was given with tax this is kept beside it. */
const discountWithoutTax = 'i.base_discount_amount - i.base_discount_tax_compensation_amount';

/** Nothing is owed and no invoice is open any more: then it is settled, however its payments came in. */
const unsettledLayaway = `(coalesce(o.pos_layaway_status, '') in ('open', 'stale', 'ready_to_settle') and (o.total_due > 0
  or exists (select from sales_invoice n where n.order_id = o.entity_id and n.state = 1)))`;

const soldText = `
select o.increment_id, o.store_id, ${isoMoment('o.created_at')} as ordered_at, ${isoMoment('now()')} as as_of,
  ${unsettledLayaway} as is_unsettled_layaway,
  (select coalesce(json_object_agg(c.path, c.value), '{}') from (
     select distinct on (path) path, value from config_value
     where path = any($2::text[]) and (scope = 'default' or (scope = 'websites' and scope_id = v.website_id)
       or (scope = 'stores' and scope_id = v.store_id))
     order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end) c) as settings,
  (select coalesce(json_agg(json_build_object('item_id', i.item_id, 'sku', i.sku, 'name', i.name,
     'qty_invoiced', i.qty_invoiced::text, 'qty_refunded', i.qty_refunded::text, 'is_returnable', i.is_returnable,
     'is_qty_decimal', i.is_qty_decimal,
     'percent_off', round(100 * (${discountWithoutTax}) / nullif(i.base_row_total, 0), 4)::float8,
     'qty_in_returns', (
       (select coalesce(sum(ri.qty_requested), 0) from sale_return_item ri join sale_return r on r.return_id = ri.return_id
        where ri.order_item_id = i.item_id and (
          (r.credit_memo_id is null and r.status not in ('rejected', 'denied', 'closed') and not (${cameToNothing}))
          or (r.credit_memo_id is not null and ri.resolution_mode is not null
            and (ri.refund_method is null or ri.resolution_mode in ('repair', 'dispose')))))
       + (select coalesce(sum(pi.qty), 0) from return_process_item pi join return_process p on p.process_id = pi.process_id
          where pi.order_item_id = i.item_id and p.state = 'open' and p.return_id is null))::text,
     'handed_over_at', (select ${isoMoment('max(s.created_at)')} from sales_shipment s
       join sales_shipment_item si on si.parent_id = s.entity_id where si.order_item_id = i.item_id)) order by i.item_id), '[]')
   from sales_order_item i where i.order_id = o.entity_id and i.parent_item_id is null) as lines
from sales_order o join store_view v on v.store_id = o.store_id
where o.entity_id = $1`;
