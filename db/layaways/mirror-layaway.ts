import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** An order as far as its layaway attributes are concerned. */
export interface SavedLayaway {
  orderId: number;
  posLayawayStatus: string | null;
}

/**
 * Runs when an order is saved, after everything else that may have paid for it: the layaway attributes follow the order's
 * columns (spec 2.13), and one that is paid in full is ready to settle. A repeat changes nothing; orders that are no
 * layaway cost nothing.
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
