import { afterAll, beforeAll, expect } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createReturnActivities, type ReturnActivities, type Step } from '../../../activities/returns.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import type { RequestedItem } from '../../../db/returns/sold-order.ts';
import { pieces } from '../../../domain/money.ts';
import { isRefused, type Outcome } from '../../../domain/outcome.ts';
import type { SettleRequest } from '../../../domain/returns/return-requests.ts';
import type { ResolutionMode, SettleMethod } from '../../../domain/returns/resolution.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aCommand, aSettleRequest, aStatusRequest } from '../../support/builders/return-requests.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent, noCredits, testSecrets } from '../../support/fakes.ts';

export let orm: MikroORM;
export let activities: ReturnActivities;
export let locationId: number;

/** A shop with one location and the activities of its returns. */
export function opensACounter(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
    const never = () => Promise.reject(new Error('a transaction never calls a gateway'));
    activities = createReturnActivities({
      orm,
      providers: {
        secrets: testSecrets,
        credits: noCredits,
        returns: builtInReturns,
        gateways: {
          for: () =>
            Promise.resolve({ code: 'x', canLookUp: true, canTrack: Boolean, refund: never, lookUpRefund: never }),
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

const books = booksOf(() => orm);
const { itemsOf, wordsOf, fork } = books;
export const commentsOf = async (returnId: number) =>
  (await wordsOf(returnId, 'comment')).map(({ comment }) => comment);
export const auditOf = (returnId: number) => books.auditOf('return', returnId, 'old_value', 'new_value');
export const movementsOf = async (returnId: number) =>
  (await books.movementsOf(returnId, 'kind', 'source_code', 'quantity')).map((movement) => ({
    ...movement,
    quantity: Number(movement.quantity),
  }));
/** A return of two mugs that waits for the shop. */
export async function aRequest(order: WantedOrder = {}, item: Partial<RequestedItem> = {}) {
  const sold = await anOrder(fork(), { method: 'provider_a', lastTransId: 'pay_1', ...order });
  const { returnId } = await createReturn(orm.em, {
    orderId: sold.orderId,
    customerId: null,
    locationId: null,
    items: [{ ...anItem(sold.itemIds[0]!), qtyRequested: pieces(2), inspectedCondition: null, ...item }],
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId: null,
  });
  const [line] = await itemsOf(returnId, 'entity_id');
  return { returnId, orderId: sold.orderId, itemId: Number(line!['entity_id']) };
}

/** What an activity left the return as, or why it refused. */
export const leftAs = (answer: Outcome<Step>) =>
  isRefused(answer) ? { refused: answer.refused.status } : answer.now.status;

export const approve = (returnId: number) =>
  activities.setReturnStatus({ returnId, request: aStatusRequest('approved') });
export const takeIn = ({ returnId, itemId }: { returnId: number; itemId: number }, count = 2) => {
  const seen = { inspection: 'pristine', condition: null, qtyReceived: pieces(count), returnToStock: true } as const;
  return activities.receiveReturn({
    returnId,
    request: { ...aCommand(), locationId, lines: [{ rmaItemId: itemId, ...seen }] },
  });
};
export async function aReceived(order: WantedOrder = {}) {
  const asked = await aRequest(order);
  await approve(asked.returnId);
  expect(leftAs(await takeIn(asked))).toBe('items_received');
  return asked;
}
export const resolve = (returnId: number, rmaItemId: number, mode: ResolutionMode, refundMethod: SettleMethod | null) =>
  activities.resolveReturn({ returnId, request: { ...aCommand(), resolutions: [{ rmaItemId, mode, refundMethod }] } });
export const settle = (returnId: number, more: Partial<SettleRequest> = {}) =>
  activities.settleReturn({ returnId, request: aSettleRequest(more) });
export const takeUp = (returnId: number) => activities.takeUpReturn({ returnId });
/** These tests leave open attempts without a workflow, on purpose. */
export const isLimbo = (id: string) => id.startsWith('I-30');
