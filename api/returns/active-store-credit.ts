import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import type { ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import type { Surroundings } from '../http/route.ts';

/** Who keeps store credit where an order was placed, by its code; undefined: nobody, or nobody needs to know. */
export async function activeStoreCredit(
  { em, providers }: Pick<Surroundings, 'em' | 'providers'>,
  { orderId, resolution }: { orderId: number; resolution: ProcessResolution },
): Promise<string | undefined> {
  if (resolution !== 'store_credit') return undefined;
  const scope = await readCreditScopeOfOrder(em, orderId);
  return scope && providers.credits.active('store_credit', scope.settings)?.code;
}
