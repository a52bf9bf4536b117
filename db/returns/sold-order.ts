import type { EntityManager } from '@mikro-orm/postgresql';
import { shopSettings } from '../../domain/configuration/shop-settings.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import type { SoldLine } from '../../domain/returns/eligibility.ts';
import { returnRulePaths, returnRules, type ReturnRules } from '../../domain/returns/return-rules.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { flag, float, integer, json, listOf, moment, orNull, quantity, surely, text, texts } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';

/** An order for the rules of returns, with the rules of its store view. */
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
 * The goods of an order, what of them came back or is coming back, and its store's rules for returns, in one
 * statement. Refused with: 404 unknown order.
 *
 * Returns that count are those not rejected, denied, or ended without a memo. Of those with a memo the lines it gave back
 * are in `qtyRefunded`; lines that were resolved without money still count. A line counts no more where neither its goods
 * nor its money ever came: `withoutGoodsOrMoney`. A collapsed return that is under way without a return counts by itself.
 */
export async function soldOrder(em: EntityManager, orderId: number): Promise<SoldOrderRecord> {
  const row = await read.first(em, { orderId, paths: returnRulePaths });
  if (!row) throw noSuchDocument();
  const { settings, lines, ...order } = row;
  return {
    orderId,
    ...order,
    lines: lines.map(({ name, percentOff, ...line }) => ({ ...line, name: name ?? '', percentOff: percentOff ?? 0 })),
    rules: returnRules(shopSettings(new Map(Object.entries(settings)))),
  };
}

/** A line `ri` of a return `r` that ended with neither goods nor money: if it counted, it could never come back. */
const withoutGoodsOrMoney = `r.status = 'resolved' and ri.resolution_mode in ('refund', 'store_credit') and ri.refund_method is null
  and not exists (select from sale_return_movement v where v.return_item_id = ri.entity_id and v.kind = 'received')`;

/** A row's total is without tax; this part of a discount was given with tax. */
const discountWithoutTax = 'i.base_discount_amount - i.base_discount_tax_compensation_amount';

/** A layaway counts as settled when nothing is owed and no invoice is open, however it was paid. */
const unsettledLayaway = `(coalesce(o.pos_layaway_status, '') in ('open', 'stale', 'ready_to_settle') and (o.total_due > 0
  or exists (select from sales_invoice n where n.order_id = o.entity_id and n.state = 1)))`;

const read = statement({
  takes: { orderId: integer, paths: texts },
  gives: {
    ...of(Order, 'incrementId', 'storeId'),
    orderedAt: moment,
    /** When this was read, by the database's clock. */
    asOf: surely(moment),
    isUnsettledLayaway: surely(flag),
    settings: json<Record<string, string | null>>(),
    lines: listOf({
      orderItemId: integer,
      sku: text,
      name: orNull(text),
      qtyInvoiced: quantity,
      qtyRefunded: quantity,
      qtyInReturns: quantity,
      isReturnable: flag,
      isQtyDecimal: flag,
      percentOff: orNull(float),
      handedOverAt: orNull(moment),
    }),
  },
  text: `
select o.increment_id, o.store_id, o.created_at as ordered_at, now() as as_of,
  ${unsettledLayaway} as is_unsettled_layaway,
  (select coalesce(json_object_agg(c.path, c.value), '{}') from (
     select distinct on (path) path, value from config_value
     where path = any($paths::text[]) and (scope = 'default' or (scope = 'websites' and scope_id = v.website_id)
       or (scope = 'stores' and scope_id = v.store_id))
     order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end) c) as settings,
  (select coalesce(json_agg(json_build_object('orderItemId', i.item_id, 'sku', i.sku, 'name', i.name,
     'qtyInvoiced', i.qty_invoiced, 'qtyRefunded', i.qty_refunded, 'isReturnable', i.is_returnable,
     'isQtyDecimal', i.is_qty_decimal,
     'percentOff', round(100 * (${discountWithoutTax}) / nullif(i.base_row_total, 0), 4)::float8,
     'qtyInReturns', (
       (select coalesce(sum(ri.qty_requested), 0) from sale_return_item ri join sale_return r on r.return_id = ri.return_id
        where ri.order_item_id = i.item_id and (
          (r.credit_memo_id is null and r.status not in ('rejected', 'denied', 'closed') and not (${withoutGoodsOrMoney}))
          or (r.credit_memo_id is not null and ri.resolution_mode is not null
            and (ri.refund_method is null or ri.resolution_mode in ('repair', 'dispose')))))
       + (select coalesce(sum(pi.qty), 0) from return_process_item pi join return_process p on p.process_id = pi.process_id
          where pi.order_item_id = i.item_id and p.state = 'open' and p.return_id is null)),
     'handedOverAt', (select max(s.created_at) from sales_shipment s
       join sales_shipment_item si on si.parent_id = s.entity_id where si.order_item_id = i.item_id)) order by i.item_id), '[]')
   from sales_order_item i where i.order_id = o.entity_id and i.parent_item_id is null) as lines
from sales_order o join store_view v on v.store_id = o.store_id
where o.entity_id = $orderId`,
});
