import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind, CreditUse } from '../../domain/credits/applied-credit.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import { expiryDaysOf, layawayStatusOf, type LayawayStatus } from '../../domain/layaways.ts';
import { dateAfter, endOfDate, localDateOf } from '../../domain/local-day.ts';
import { subtract, zero, type Amount } from '../../domain/money.ts';
import { dueOf } from '../../domain/orders.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import type { SavedOrder } from '../platform/orders/saved-order.ts';
import { timeZoneOfStore } from '../platform/stores/time-zone.ts';
import { shopNow } from '../support/shop-clock.ts';
import { amount, integer, json, listOf, orNull, definite, text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { layawayParts } from './layaway-parts.ts';

/** A credit that came back with the cancellation. */
export interface CancelledLeg {
  kind: CreditKind;
  providerCode: string;
  appliesAs: CreditUse;
  baseAmount: Amount;
  amount: Amount;
  points: number | null;
  /** Code of the gift card that was issued for it; null: it went to the credit that paid. */
  newCardCode: string | null;
}

export interface CancelledLayaway {
  fee: Amount;
  refund: Amount;
  refundMethod: string | null;
  creditMemoIncrementId: string | null;
  legs: CancelledLeg[];
  operationKey: string;
}

/** A layaway in a register's answer (spec 2.13). */
export interface LayawaySnapshot {
  orderId: number;
  incrementId: string;
  state: OrderState;
  /** Null: the order is not a layaway. */
  status: LayawayStatus | null;
  /** Money only; spent credit does not count as captured. */
  totalCaptured: Amount;
  balanceOwed: Amount;
  currencyCode: string;
  /** ISO 8601. */
  expiresAt: string | null;
  cancellation: CancelledLayaway | null;
}

const selectLayaway = sql('read-layaway.selectLayaway', {
  gives: {
    ...layawayParts,
    legs: definite(
      listOf({
        kind: text as Kind<CreditKind>,
        providerCode: text,
        appliesAs: text as Kind<CreditUse>,
        baseAmount: amount,
        amount,
        points: orNull(integer),
        newCardCode: orNull(text),
      }),
    ),
  },
})`
  select o.entity_id, o.increment_id, o.state, o.pos_layaway_status, o.grand_total, o.total_paid, o.due_taken_off,
    o.order_currency_code, o.pos_layaway_expires_at, c.operation_key, c.fee, c.refund, c.refund_method,
    m.increment_id as memo_increment_id,
    (select coalesce(sum(amount), 0) from sales_money_in where order_id = o.entity_id and kind = 'credit') as spent,
    case when c.order_id is null then '[]'::json else (
      select coalesce(json_agg(json_build_object('kind', k.kind, 'providerCode', k.provider_code,
        'appliesAs', k.applies_as, 'baseAmount', r.base_amount::text, 'amount', r.amount::text, 'points', r.points,
        'newCardCode', (select g.code from gift_card g where g.card_id = r.issued_card_id))
        order by r.credit_return_id), '[]')
      from order_credit k join order_credit_return r on r.credit_id = k.credit_id
      where k.order_id = o.entity_id and (r.credit_memo_id is null or r.credit_memo_id = c.credit_memo_id))
        end as legs
  from sales_order o
  left join layaway_cancellation c on c.order_id = o.entity_id
  left join sales_creditmemo m on m.entity_id = c.credit_memo_id
  where o.entity_id = $orderId`;

/** The present state of a layaway, in one round trip. Refused with: 404 unknown order. */
export async function readLayaway(em: EntityManager, orderId: number): Promise<LayawaySnapshot> {
  const row = await selectLayaway.first(em, { orderId });
  if (!row) throw noSuchDocument();
  const status = layawayStatusOf(row.posLayawayStatus);
  return {
    orderId: row.entityId,
    incrementId: row.incrementId,
    state: row.state,
    status,
    totalCaptured: subtract(row.totalPaid, row.spent),
    balanceOwed: status === 'cancelled' ? zero : dueOf(row),
    currencyCode: row.orderCurrencyCode,
    expiresAt: row.posLayawayExpiresAt?.toISOString() ?? null,
    cancellation: cancellationOf(row),
  };
}

function cancellationOf(row: RowFrom<typeof selectLayaway>): CancelledLayaway | null {
  const { operationKey, fee, refund, refundMethod, memoIncrementId: creditMemoIncrementId, legs } = row;
  if (operationKey === null || fee === null || refund === null) return null;
  return { operationKey, fee, refund, refundMethod, creditMemoIncrementId, legs };
}

/**
 * Runs when an order is saved: a new layaway without an expiry date gets one by the setting of its place (spec 2.13).
 * The place is the register of its sale's receipt (spec 2.2), or the order's store without such a receipt. It expires at
 * the end of a day of the website's time zone. 0 days: never.
 *
 * A posted date stays, and a layaway that began earlier is unchanged. A repeat changes nothing.
 */
export async function dateLayaway(
  em: EntityManager,
  { orderId, storeId, posLayawayStatus }: Pick<SavedOrder, 'orderId' | 'storeId' | 'posLayawayStatus'>,
): Promise<void> {
  if (posLayawayStatus !== 'open') return;
  const place = await readPlace.first(em, { orderId });
  if (!place) return;
  const shop = await readStoreSetting(em, 'vendor_pos_terminal/layaway/expiry_days', storeId);
  const days = expiryDaysOf({ ...place, shop });
  if (days <= 0) return;
  const zone = await timeZoneOfStore(em, storeId);
  const expiresAt = endOfDate(dateAfter(localDateOf(shopNow(), zone), days), zone);
  await date.run(em, { orderId, expiresAt });
}

/** No row: the layaway has a date already, or began earlier. */
const readPlace = sql('read-layaway.readPlace', {
  gives: {
    terminal: orNull(json<Record<string, unknown>>()),
    locationOverrides: orNull(json<Record<string, unknown>>()),
  },
})`
  select t.config_overrides as terminal, p.layaway_expiry_days as location, p.config_overrides as location_overrides
  from sales_order o
  left join pos_receipt r on r.pos_order_id = o.pos_sale_id
  left join pos_terminal t on t.terminal_id = r.terminal_id
  left join pos_location p on p.location_id = coalesce(r.location_id, t.location_id)
  where o.entity_id = $orderId and o.pos_layaway_expires_at is null and o.pos_layaway_followed_at is null`;

const date = sql('read-layaway.date')`
  update sales_order set pos_layaway_expires_at = $expiresAt where entity_id = $orderId`;

/** The fields of an order that its layaway attributes follow. */
export interface SavedLayaway {
  orderId: number;
  posLayawayStatus: string | null;
}

/**
 * Runs when an order is saved, after all hooks that may pay for it. The layaway attributes follow the order's columns
 * (spec 2.13), and a layaway paid in full becomes ready to settle. A repeat changes nothing; other orders need no
 * statement.
 */
export async function mirrorLayaway(em: EntityManager, { orderId, posLayawayStatus }: SavedLayaway): Promise<void> {
  if (posLayawayStatus === 'open' || posLayawayStatus === 'stale') await mirror.run(em, { orderId });
}

const mirror = sql('read-layaway.mirror')`
  update sales_order set pos_layaway_balance_owed = total_due,
    pos_layaway_status = case when total_due = 0 and grand_total > 0 then 'ready_to_settle' else pos_layaway_status
      end
  where entity_id = $orderId and pos_layaway_status in ('open', 'stale') and state not in ('canceled', 'closed')
    and (pos_layaway_balance_owed is distinct from total_due or (total_due = 0 and grand_total > 0))`;
