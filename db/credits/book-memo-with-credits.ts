import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import {
  bookCreditMemo,
  type BookedMemo,
  type CreditMemoBooking,
  type MemoHook,
} from '../platform/credit-memos/book-credit-memo.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { lowerCreditDue } from '../orders/lower-credit-due.ts';
import { giveCreditsBack } from './give-credits-back.ts';
import { splitRefund } from './split-refund.ts';

/**
 * For memos of the platform's own routes: they give credit back as every other memo does.
 *
 * @param actor the owner of the token
 */
export const giveBackWithMemo =
  (actor: WalletActor = {}): MemoHook =>
  async (em, { order, figures }) => {
    const { legs } = await splitRefund(em, order, figures);
    return (memo) => giveCreditsBack(em, { order, creditMemoId: memo.entityId, legs, actor });
  };

/**
 * Books a credit memo and gives its credit legs back, in the caller's transaction and under the order lock. Refusals
 * and repeats as for `bookCreditMemo`.
 *
 * @param planned legs that were decided and reserved before; absent: computed now, as for a preview
 */
export async function bookMemoWithCredits(
  em: EntityManager,
  booking: CreditMemoBooking,
  planned?: readonly CreditLeg[],
): Promise<{ memo: BookedMemo; legs: readonly CreditLeg[] }> {
  let legs: readonly CreditLeg[] = [];
  const giveBack: MemoHook = async (_em, { order, figures }) => {
    legs = planned ?? (await splitRefund(em, order, figures)).legs;
    return (memo) => giveCreditsBack(em, { order, creditMemoId: memo.entityId, legs });
  };
  const memo = await bookCreditMemo(em, { ...booking, hooks: [giveBack, lowerCreditDue] });
  return { memo, legs };
}
