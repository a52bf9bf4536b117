import { outsideName } from '../../db/installation/outside-name.ts';
import { recordProvider } from '../../db/returns/record-provider.ts';
import { commentHeld } from '../../db/returns/record-hold-reason.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { storeOfOrder } from '../../db/platform/orders/store-of-order.ts';
import { fillIn } from '../../domain/fill-in.ts';
import type { Refusal } from '../../domain/errors.ts';
import { parseQuantity, none } from '../../domain/money/quantity.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { ReturnToTakeOn } from '../../providers/returns/returns-provider.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';
import { offerToProvider } from './offer-to-provider.ts';

export type ProviderActivities = ReturnType<typeof createProviderActivities>;

export const createProviderActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers } = dependencies;

  const refuse = async (returnId: number, refusal: Refusal): Promise<Outcome<{ isTaken: true }>> => {
    await commentHeld(orm.em, returnId, fillIn(refusal.message, refusal.parameters));
    return { refused: refusal };
  };

  return {
    /**
     * Offers a new return to the providers of its store in their order, and records which one took it (spec 4.8). The
     * one it was created for comes first. A repeat under the same key gives the same result.
     */
    offerReturn: ({ returnId }: { returnId: number }) =>
      orRefused(async () => {
        const rma = await findReturn(orm.em.fork(), returnId);
        const storeId = await storeOfOrder(orm.em.fork(), rma.orderId);
        const inOrder = await providers.returns.inOrder(storeId);
        const first = Math.max(
          0,
          inOrder.findIndex(({ code }) => code === rma.providerCode),
        );
        for (const provider of inOrder.slice(first)) {
          const offered = await offerToProvider(dependencies, provider, toTakeOn(rma, storeId));
          if ('refusal' in offered) return refuse(returnId, offered.refusal);
          if ('passed' in offered) continue;
          const { reference, isRestockedHere } = offered.taken;
          await recordProvider(orm.em, { returnId, providerCode: provider.code, reference, isRestockedHere });
          return { isTaken: true as const };
        }
        const message = `No returns provider took return ${rma.incrementId} on.`;
        return refuse(returnId, { status: 400, message, parameters: { return_id: returnId } });
      }),
  };
};

const toTakeOn = (rma: ReturnRecord, storeId: number): ReturnToTakeOn => ({
  requestKey: outsideName(`return-${rma.returnId}`, rma.nameTail),
  orderIncrementId: rma.orderIncrementId,
  storeId,
  lines: rma.items.map((item) => ({
    orderItemId: item.order_item_id,
    sku: item.product_sku,
    qty: parseQuantity(String(item.qty_requested)) ?? none,
    reason: item.reason,
    condition: item.condition,
    resolution: item.resolution,
  })),
});
