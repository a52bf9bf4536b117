import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import type { FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import { layawayStatusOf } from '../../domain/layaways/layaway-status.ts';
import { money } from '../../domain/money/amount.ts';
import { dueOf } from '../../domain/orders/take-money.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import { query } from '../support/query.ts';

interface FollowedRow {
  entity_id: number;
  increment_id: string;
  state: OrderState;
  pos_layaway_status: string | null;
  order_currency_code: string;
  grand_total: string;
  total_paid: string;
  expires_at: string | null;
  expires_in_ms: string | null;
}

const columns = `entity_id, increment_id, state, pos_layaway_status, order_currency_code, grand_total, total_paid,
  pos_layaway_expires_at as expires_at,
  ceil(extract(epoch from pos_layaway_expires_at - clock_timestamp()) * 1000)::text as expires_in_ms`;

const readText = `select ${columns} from sales_order where entity_id = $1`;
const followText = `
with followed as (
  update sales_order set pos_layaway_followed_at = clock_timestamp()
  where entity_id = $1 and pos_layaway_followed_at is null and pos_layaway_status is not null
)
${readText}`;

/**
 * A layaway for its workflow, which takes it up with this: the sweep does not look for it any more. A repeat only reads.
 *
 * Refused with: 404 unknown order.
 */
export const followLayaway = (em: EntityManager, orderId: number): Promise<FollowedLayaway> =>
  read(em, followText, orderId);

/** The same, read again. Refused with: 404 unknown order. */
export const lookAtLayaway = (em: EntityManager, orderId: number): Promise<FollowedLayaway> =>
  read(em, readText, orderId);

async function read(em: EntityManager, text: string, orderId: number): Promise<FollowedLayaway> {
  const [row] = await query<FollowedRow>(em, text, [orderId]);
  if (!row) throw noSuchDocument();
  return {
    orderId: row.entity_id,
    orderIncrementId: row.increment_id,
    state: row.state,
    status: layawayStatusOf(row.pos_layaway_status),
    balanceOwed: dueOf({
      grandTotal: money(row.grand_total),
      totalPaid: money(row.total_paid),
      orderCurrencyCode: row.order_currency_code,
    }),
    currencyCode: row.order_currency_code,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    expiresInMs: row.expires_in_ms === null ? null : Number(row.expires_in_ms),
  };
}
