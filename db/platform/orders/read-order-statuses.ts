import type { EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from '../../support/fresh-reads.ts';
import { OrderStatus } from './order-parts.entity.ts';

export interface OrderStatusRow {
  status: string;
  label: string;
  /** The states that may show it, by name; empty for a merchant's own status without a state. */
  states: string[];
  /** Whether one of its states starts with it. */
  is_default: boolean;
}

/** Every registered status by label, also the merchant's own (platform facts 5.3). */
export async function readOrderStatuses(em: EntityManager): Promise<OrderStatusRow[]> {
  const found = await freshReads(em).find(
    OrderStatus,
    {},
    { populate: ['states'], strategy: 'joined', orderBy: { label: 'asc', status: 'asc' } },
  );
  return found.map(({ status, label, states }) => ({
    status,
    label,
    states: states.map(({ state }) => state).toSorted(),
    is_default: states.exists(({ isDefault }) => isDefault),
  }));
}
