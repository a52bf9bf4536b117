import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import type { FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import { layawayStatusOf } from '../../domain/layaways/layaway-status.ts';
import { dueOf } from '../../domain/orders/take-money.ts';
import { float, integer, orNull } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { layawayParts } from './layaway-parts.ts';

const columns = `entity_id, increment_id, state, pos_layaway_status, order_currency_code, grand_total, total_paid,
  pos_layaway_expires_at, ceil(extract(epoch from pos_layaway_expires_at - clock_timestamp()) * 1000)::float8 as expires_in_ms`;

const readText = `select ${columns} from sales_order where entity_id = $orderId`;

const wording = {
  takes: { orderId: integer },
  gives: {
    ...layawayParts,
    expiresInMs: orNull(float),
  },
};

const readLayaway = statement({ ...wording, text: readText });

const follow = statement({
  ...wording,
  text: `
    with followed as (
      update sales_order set pos_layaway_followed_at = clock_timestamp()
      where entity_id = $orderId and pos_layaway_followed_at is null and pos_layaway_status is not null
    )
    ${readText}`,
});

/**
 * A layaway for its workflow. This also records that the workflow follows it, so the sweep skips it. A repeat only
 * reads.
 *
 * Refused with: 404 unknown order.
 */
export const followLayaway = async (em: EntityManager, orderId: number): Promise<FollowedLayaway> =>
  followed(await follow.first(em, { orderId }));

/** The same, read again. Refused with: 404 unknown order. */
export const lookAtLayaway = async (em: EntityManager, orderId: number): Promise<FollowedLayaway> =>
  followed(await readLayaway.first(em, { orderId }));

function followed(row: RowFrom<typeof readLayaway> | undefined): FollowedLayaway {
  if (!row) throw noSuchDocument();
  return {
    orderId: row.entityId,
    orderIncrementId: row.incrementId,
    state: row.state,
    status: layawayStatusOf(row.posLayawayStatus),
    balanceOwed: dueOf(row),
    currencyCode: row.orderCurrencyCode,
    expiresAt: row.posLayawayExpiresAt?.toISOString() ?? null,
    expiresInMs: row.expiresInMs,
  };
}
