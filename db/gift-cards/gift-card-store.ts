import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { negate, type Amount } from '../../domain/money/amount.ts';
import type { GiftCardEntryKind } from '../../domain/gift-cards/gift-card.ts';
import type { CreditMoved, CreditMovement, CreditStore } from '../credit-stores/credit-store.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { moveGiftCard } from './move-gift-card.ts';

/**
 * Gift cards as a credit store for orders. Spent money goes back to its card even after the card has expired (our
 * choice).
 */
export const giftCardStore: CreditStore = {
  kind: 'gift_card',
  providerCode: 'gift_card',

  async spend(em, movement) {
    const scope = await readCreditScopeOfOrder(em, movement.orderId);
    if (scope && !scope.settings.flag('vendor_gift_card/general/enabled'))
      throw invalid('Gift cards are not taken here.');
    return move(em, movement, { kind: 'spent', delta: negate(movement.baseAmount) });
  },

  giveBack: (em, movement) => move(em, movement, { kind: 'returned', delta: movement.baseAmount }),
};

async function move(
  em: EntityManager,
  { key, code, websiteId, orderId, reason, currencyCode }: CreditMovement,
  { kind, delta }: { kind: GiftCardEntryKind; delta: Amount },
): Promise<CreditMoved> {
  if (code === null || code.trim() === '') throw invalid('A gift card is spent by its code.');
  // A fraction of a cent in the order's currency may be zero in the base currency.
  if (delta === 0) return { balanceAfter: null, transactionId: key };
  // A key allows one movement in each direction.
  const where = { code, websiteId, currencyCode, orderId, reason };
  const moved = await moveGiftCard(em, { ...where, kind, delta, key: `${kind}:${key}` });
  return { balanceAfter: moved.balanceAfter, transactionId: `gift-card-entry-${moved.entryId}` };
}
