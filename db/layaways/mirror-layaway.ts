import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

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

const mirror = statement({
  takes: { orderId: integer },
  text: `
    update sales_order set pos_layaway_balance_owed = total_due,
      pos_layaway_status = case when total_due = 0 and grand_total > 0 then 'ready_to_settle' else pos_layaway_status end
    where entity_id = $orderId and pos_layaway_status in ('open', 'stale')
      and (pos_layaway_balance_owed is distinct from total_due or (total_due = 0 and grand_total > 0))`,
});
