import type { EntityManager } from '@mikro-orm/postgresql';
import { expiryDaysOf } from '../../domain/layaways/expiry-days.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import type { SavedOrder } from '../platform/orders/insert-order.ts';
import { integer, json, orNull } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Runs when an order is saved: a new layaway without an expiry date gets one by the setting of its place (spec 2.13).
 * The place is the register of its sale's receipt (spec 2.2), or the order's store without such a receipt. 0 days:
 * never.
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
  if (days > 0) await date.run(em, { orderId, days });
}

/** No row: the layaway has a date already, or began earlier. */
const readPlace = statement({
  takes: { orderId: integer },
  gives: {
    terminal: orNull(json<Record<string, unknown>>()),
    location: orNull(integer),
    locationOverrides: orNull(json<Record<string, unknown>>()),
  },
  text: `
    select t.config_overrides as terminal, p.layaway_expiry_days as location, p.config_overrides as location_overrides
    from sales_order o
    left join pos_receipt r on r.pos_order_id = o.pos_sale_id
    left join pos_terminal t on t.terminal_id = r.terminal_id
    left join pos_location p on p.location_id = coalesce(r.location_id, t.location_id)
    where o.entity_id = $orderId and o.pos_layaway_expires_at is null and o.pos_layaway_followed_at is null`,
});

const date = statement({
  takes: { orderId: integer, days: integer },
  text: `
    update sales_order set pos_layaway_expires_at = now() + make_interval(days => $days) where entity_id = $orderId`,
});
