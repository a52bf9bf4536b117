import { afterAll, beforeAll } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createReturnActivities, type ReturnActivities } from '../../../activities/returns.ts';
import type { SettleRequest } from '../../../domain/returns/return-requests.ts';
import { aSettleRequest } from '../../support/builders/return-requests.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent, noCredits, testSecrets } from '../../support/fakes.ts';

export let orm: MikroORM;
export let activities: ReturnActivities;
export let locationId: number;
/** Whether a gateway can be asked now. */
export const gateways = { isThere: true };

/** A shop whose gateway may be away. */
export function opensACounter(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
    activities = createReturnActivities({
      orm,
      providers: {
        secrets: testSecrets,
        credits: noCredits,
        returns: builtInReturns,
        gateways: {
          for: () =>
            Promise.resolve(
              gateways.isThere
                ? { code: 'x', canLookUp: true, canTrack: Boolean, refund: never, lookUpRefund: never }
                : undefined,
            ),
        },
      },
      log: silent,
      clock: () => new Date(),
      gatewayTimeoutSeconds: 5,
      reconcileAfterSeconds: 60,
    });
  });
  afterAll(() => orm.close());
}

const never = () => Promise.reject(new Error('a transaction never calls a gateway'));
const { fork } = booksOf(() => orm);
export const settle = (returnId: number, more: Partial<SettleRequest> = {}) =>
  activities.settleReturn({ returnId, request: aSettleRequest(more) });

export async function aRivalRefund(orderId: number): Promise<string> {
  const { withOrder } = await import('../../../db/platform/orders/lock-order.ts');
  const { bookCreditMemo } = await import('../../../db/platform/credit-memos/book-credit-memo.ts');
  const memo = await withOrder(orm.em, orderId, async (em, order) => {
    const none = { base: 0 as never, order: 0 as never };
    return bookCreditMemo(em, {
      order,
      request: { adjustmentPositive: none, adjustmentNegative: none },
      isOnline: false,
      movesStock: false,
    });
  });
  return memo.incrementId;
}
