import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { Operation } from '../../domain/store-credit/ledger.ts';
import type { CreditMoved, CreditMovement, CreditStore } from '../credit-stores/credit-store.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { addEntryWithin } from './add-entry.ts';

/**
 * Store credit as a credit store for orders: the customer's wallet on the order's website (spec 4.6, 4.11). Where the
 * merchant disabled it none is taken; credit spent before still comes back.
 */
export const walletStore: CreditStore = {
  kind: 'store_credit',
  providerCode: 'store_credit',

  async spend(em, movement) {
    const scope = await readCreditScopeOfOrder(em, movement.orderId);
    if (scope && !scope.settings.flag('vendor_store_credit/general/enabled'))
      throw invalid('Store credit is not taken here.');
    return move(em, 'debit', movement);
  },

  giveBack: (em, movement) => move(em, 'credit', movement),
};

async function move(em: EntityManager, operation: Operation, movement: CreditMovement): Promise<CreditMoved> {
  const { customerId, websiteId, baseAmount, reason, key } = movement;
  if (customerId === null) throw invalid('Store credit belongs to a customer account; this order has none.');
  const entry = await addEntryWithin(em, {
    customerId,
    websiteId,
    operation,
    amount: baseAmount,
    reason,
    source: 'order',
    idempotencyKey: null,
    bookingKey: key,
    actor: movement.actor ?? {},
  });
  return { balanceAfter: entry.balanceAfter, transactionId: entry.entryId };
}
