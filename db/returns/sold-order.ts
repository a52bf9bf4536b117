import type { EntityManager } from '@mikro-orm/postgresql';
import { shopSettings } from '../../domain/configuration/setting-defaults.ts';
import { conflict, noSuchDocument } from '../../domain/errors.ts';
import type { Quantity } from '../../domain/money.ts';
import {
  builtInCode,
  returnRulePaths,
  returnRules,
  type ReturnRules,
  type SoldLine,
  type VendorVerdict,
} from '../../domain/returns/eligibility.ts';
import type { SettleMethod } from '../../domain/returns/resolution.ts';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { readCaptures, type Capture } from '../refunds/refundable-money.ts';
import { flag, float, integer, json, listOf, moment, orNull, quantity, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { unknownReturn, type Seen } from './lock-return.ts';
import type { ReturnRecord } from './return.repository.ts';

/** An order for the rules of returns, with the rules of its store view. */
export interface SoldOrderRecord {
  orderId: number;
  incrementId: string;
  storeId: number;
  /** Null: a guest's. */
  customerId: number | null;
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
 * Returns that count are those not rejected, denied, or ended without a memo. Of those with a memo the lines it gave
 * back are in `qtyRefunded`; lines that were resolved without money still count. A line counts no more where neither
 * its goods nor its money ever came: `withoutGoodsOrMoney`. A collapsed return that is under way without a return
 * counts by itself.
 */
export async function soldOrder(em: EntityManager, orderId: number): Promise<SoldOrderRecord> {
  const row = await selectSoldOrder.first(em, { orderId, paths: returnRulePaths });
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

const selectSoldOrder = sql('sold-order.selectSoldOrder', {
  gives: {
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
})`
select o.increment_id, o.store_id, o.customer_id, o.created_at as ordered_at, now() as as_of,
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
       (select coalesce(sum(ri.qty_requested), 0) from sale_return_item ri
         join sale_return r on r.return_id = ri.return_id
        where ri.order_item_id = i.item_id and (
          (r.credit_memo_id is null and r.status not in ('rejected', 'denied', 'closed')
            and not (${withoutGoodsOrMoney}))
          or (r.credit_memo_id is not null and ri.resolution_mode is not null
            and (ri.refund_method is null or ri.resolution_mode in ('repair', 'dispose')))))
       + (select coalesce(sum(pi.qty), 0) from return_process_item pi
         join return_process p on p.process_id = pi.process_id
          where pi.order_item_id = i.item_id and p.state = 'open' and p.return_id is null)),
     'handedOverAt', (select max(s.created_at) from sales_shipment s
       join sales_shipment_item si on si.parent_id = s.entity_id where si.order_item_id = i.item_id))
         order by i.item_id), '[]')
   from sales_order_item i where i.order_id = o.entity_id and i.parent_item_id is null) as lines
from sales_order o join store_view v on v.store_id = o.store_id
where o.entity_id = $orderId`;

/** A row of goods that a caller wants to bring back. */
export interface RequestedItem {
  orderItemId: number;
  qtyRequested: Quantity;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
  /** The provider's id of the resolution; absent: its label. */
  resolutionId?: string | null;
  /** Null: not inspected; goods received at once go where their condition sends them. */
  inspectedCondition: 'pristine' | 'damaged' | 'dispose' | null;
  returnToStock: boolean;
  qtyReceived: Quantity | null;
  targetSourceCode: string | null;
}

/** A return as it is created. */
export interface NewReturn {
  orderId: number;
  customerId: number | null;
  locationId: number | null;
  items: readonly RequestedItem[];
  comment: string | null;
  isAutoApproved: boolean;
  refundMethod: SettleMethod | null;
  posSaleId: string | null;
  /** The returns provider for which it is created; absent: the built-in one, which accepts everything. */
  provider?: ProviderSays;
  /** Every provider of the store: when the first passes, a later one takes the return. Absent: the first one only. */
  providerCodes?: readonly string[];
  /** Its id and its number, drawn before; absent: they are drawn in the transaction. */
  numbers?: ReturnNumbers;
  /** Until then its creation may begin, by the database's clock. Absent: at any time. */
  beginBefore?: string | undefined;
  /** Of the comment. */
  author?: string | null;
  /** Its money was refused: see the column. */
  waitsForCaller?: boolean;
  /** Called with the rows as the transaction leaves them, where it read them. */
  seen?: Seen | undefined;
}

/** The id and the human number of a return. Both come from sequences, so gaps are fine. */
export interface ReturnNumbers {
  returnId: number;
  incrementId: string;
}

/** The active returns provider's answers from before the locks. */
export interface ProviderSays {
  code: string;
  /** Every resolution of the provider. */
  resolutionIds: readonly string[];
  verdict: VendorVerdict;
}

/** What its workflow starts with, and what people find it by. */
export interface CreatedReturn extends Pick<
  ReturnRecord,
  | 'returnId'
  | 'incrementId'
  | 'orderId'
  | 'orderIncrementId'
  | 'locationId'
  | 'requestedRefundMethod'
  | 'providerCode'
  | 'isReady'
> {
  isReused: boolean;
}

/**
 * 409 when the sale's return belongs to another order, or to a returns provider that the store does not use (spec
 * 4.8).
 */
export function reused(
  existing: ReturnRecord,
  {
    orderId,
    provider,
    providerCodes = [provider?.code ?? builtInCode],
  }: Pick<NewReturn, 'orderId' | 'provider' | 'providerCodes'>,
): CreatedReturn {
  const isOurs = existing.orderId === orderId && providerCodes.includes(existing.providerCode);
  if (isOurs) return { ...existing, isReused: true };
  const whose = existing.orderId === orderId ? `with the provider "${existing.providerCode}"` : 'of another order';
  throw conflict('sale_return_conflict', `The sale already has return ${existing.incrementId} ${whose}.`, {
    return_id: existing.returnId,
    order_id: existing.orderId,
    provider_code: existing.providerCode,
  });
}

export interface PaymentOfReturn {
  orderId: number;
  paymentMethod: string;
  storeId: number;
  paymentReference: string | null;
  /** The payments of a layaway. */
  captures: readonly Capture[];
  /** The status of the return when it is ready or ended and nothing is pending; else null. */
  quiet: { status: ReturnStatus; isReady: boolean } | null;
}

/** How, where and under which reference the order of a return was paid. Refused with: 404 unknown return. */
export async function paymentOfReturn(em: EntityManager, returnId: number): Promise<PaymentOfReturn> {
  const row = await readPaymentOfReturn.first(em, { returnId });
  if (!row) throw unknownReturn(returnId);
  return {
    orderId: row.orderId,
    paymentMethod: row.method,
    storeId: row.storeId,
    paymentReference: row.lastTransId,
    captures: await readCaptures(em, row),
    quiet: isQuiet(row) ? { status: row.status, isReady: row.isReady } : null,
  };
}

const isQuiet = (row: RowFrom<typeof readPaymentOfReturn>) =>
  (row.isReady || isTerminal(row.status)) && !row.hasOpenCall;

const readPaymentOfReturn = sql('sold-order.readPaymentOfReturn')`
  select p.method, o.store_id, p.last_trans_id, o.pos_layaway_status is not null as is_layaway, r.order_id, r.status,
    r.is_ready,
    exists (select from refund_attempt a where a.return_id = r.return_id and a.state = 'started' and a.line_outcome is null) as has_open_call
  from sale_return r join sales_order o on o.entity_id = r.order_id
  join sales_order_payment p on p.order_id = o.entity_id where r.return_id = $returnId`;
