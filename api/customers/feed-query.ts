import { z } from 'zod';
import { findCustomerStore } from '../../db/platform/stores/find-customer-store.ts';
import type { StoreScope, RouteContext } from '../http/route.ts';
import { same, scalar } from '../wire/scalar.ts';
import { readStockDate } from '../wire/stock-date.ts';

/** A calendar day, `YYYY-MM-DD`. */
export const dayParam = scalar<string, string>({
  type: 'date',
  read: (given) => (typeof given === 'string' && given.length === 10 && readStockDate(given) ? given : undefined),
  write: same,
  json: { type: 'string', format: 'date', examples: ['2026-11-23'] },
});

/** The website of a feed; 0 means that of the call's store view. Refused with: 404 unknown website. */
export async function feedScope(
  em: RouteContext['em'],
  { websiteId, store }: { websiteId: number; store: StoreScope },
): Promise<{ websiteId: number; storeId: number }> {
  const view = await findCustomerStore(em, { websiteId, currentStoreId: store.storeId });
  // The settings of the call's own view apply where it belongs to this website.
  return { websiteId: view.websiteId, storeId: view.websiteId === store.websiteId ? store.storeId : view.storeId };
}

/** A weak tag of a feed's versions. */
export const feedTag = (...parts: readonly (string | number | boolean | null)[]) => `W/"${parts.join('-')}"`;

/** A time with milliseconds: prices may change more than once within a second. */
export const exactMoment = z.string().meta({ format: 'date-time' });
