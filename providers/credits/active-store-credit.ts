import type { EntityManager } from '@mikro-orm/postgresql';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import type { ProcessResolution } from '../../domain/returns/return-status.ts';
import type { Credits } from './credits.ts';

/** The provider of store credit in an order's store, by its code; undefined: none, or not needed. */
export async function activeStoreCredit(
  { em, credits }: { em: EntityManager; credits: Credits },
  { orderId, resolution }: { orderId: number; resolution: ProcessResolution },
): Promise<string | undefined> {
  if (resolution !== 'store_credit') return undefined;
  const scope = await readCreditScopeOfOrder(em, orderId);
  return scope && credits.active('store_credit', scope.settings)?.code;
}
