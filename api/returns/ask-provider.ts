import type { ProviderSays, SoldOrderRecord } from '../../db/returns/sold-order.ts';
import { invalid } from '../../domain/errors.ts';
import { builtInCode, noObjection, type VendorVerdict } from '../../domain/returns/eligibility.ts';
import type { ReturnOptions } from '../../domain/returns/return-status.ts';
import type { ReturnsProvider } from '../../providers/returns.ts';
import type { RouteContext } from '../http/route.ts';

/** The returns provider of a store; undefined where there is no returns module. */
export async function activeProvider(
  { providers }: Pick<RouteContext, 'providers'>,
  storeId: number,
): Promise<ReturnsProvider | undefined> {
  const [active] = await providers.returns.inOrder(storeId);
  return active;
}

/** 400 where a return needs a provider. */
export const noReturnsModule = () => invalid('No returns provider is set up in this store.');

export interface Asking {
  order: SoldOrderRecord;
  options: ReturnOptions;
  says: ProviderSays;
}

/** A provider's answer about an order, asked before any lock. 503: it cannot be asked. */
export async function askProvider(provider: ReturnsProvider, order: SoldOrderRecord): Promise<Asking> {
  const [options, verdict] = await Promise.all([
    provider.options(order.storeId),
    provider.vendorRule({
      orderIncrementId: order.incrementId,
      storeId: order.storeId,
      lines: order.lines.map(({ orderItemId, sku, qtyInvoiced }) => ({ orderItemId, sku, qty: qtyInvoiced })),
    }),
  ]);
  return { order, options, says: answersOf(provider, { options, verdict }) };
}

/** What a provider said, for those who judge under the lock. */
export const answersOf = (
  { code }: Pick<ReturnsProvider, 'code'>,
  { options, verdict }: { options: ReturnOptions; verdict: VendorVerdict },
): ProviderSays => ({ code, resolutionIds: options.resolutions.map(({ id }) => id), verdict });

/**
 * What the store's active provider has to say about an order. Without a returns module the store's own rules stand
 * alone, about the built-in resolutions: those a collapsed return can have.
 */
export async function askActiveProvider(
  { providers }: Pick<RouteContext, 'providers'>,
  order: SoldOrderRecord,
): Promise<Asking> {
  const provider = await activeProvider({ providers }, order.storeId);
  if (provider) return askProvider(provider, order);
  const builtIn = await providers.returns.byCode(builtInCode)?.options(order.storeId);
  const options = builtIn ?? { reasons: [], conditions: [], resolutions: [] };
  const resolutionIds = options.resolutions.map(({ id }) => id);
  return { order, options, says: { code: '', resolutionIds, verdict: noObjection } };
}
