import { beforeAll, describe, expect, test } from '@jest/globals';
import { giveBackOnCancel } from '../../../db/credits/give-back-on-cancel.ts';
import { giveBackWithMemo } from '../../../db/credits/give-credits-back.ts';
import { extendGiftCard } from '../../../db/gift-cards/extend-gift-card.ts';
import { giftCardsIssuedFor } from '../../../db/gift-cards/find-gift-card.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { findReturn } from '../../../db/returns/return.repository.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { dateAfter, endOfDate, localDateOf } from '../../../domain/local-day.ts';
import { pieces, zero } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { booksOf } from '../../support/books.ts';
import { aGiftCard, cardBalance } from '../../support/builders/credit.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { daysAgo, inSeconds } from '../../support/moments.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';

const newYork = 'America/New_York';
const lastSecondIn = (days: number) => endOfDate(dateAfter(localDateOf(new Date(), newYork), days), newYork);

describe('an order of which a gift card of New York paid 30', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
    await write('update website set time_zone = ? where website_id = 1', newYork);
  });
  const { change, findOne, find, rows, write, commentsOf, fork } = booksOf(() => orm);

  async function paidByCard(more: WantedOrder = {}) {
    const code = await aGiftCard(orm, '30');
    const order = await anOrder(fork(), { ...more, credits: [{ credit_type: 'gift_card', code, amount: 30 }] });
    return { code, ...order };
  }
  const lastMoment = async (code: string) =>
    new Date((await findOne('gift_card', { code }, 'expires_at')).expires_at as string);
  const onCard = (code: string) => cardBalance(orm, code);
  const booksHold = async () => expect(await verify(fork())).toEqual([]);

  async function returnOf({ orderId, itemIds }: { orderId: number; itemIds: readonly number[] }) {
    const { returnId } = await createReturn(fork(), {
      orderId,
      customerId: null,
      locationId,
      items: [anItem(itemIds[0]!)],
      comment: null,
      isAutoApproved: true,
      refundMethod: 'cash',
      posSaleId: null,
    });
    await initialiseReturn(fork(), { returnId, canRefundThrough: () => true });
    return returnId;
  }
  const settle = (returnId: number) =>
    bookSettlement(fork(), { returnId, method: 'cash', options: plainSettlement, requestId: `r-${returnId}` });
  const refundAll = (orderId: number) =>
    refundOrder(fork(), {
      orderId,
      items: [],
      adjustmentPositive: zero,
      adjustmentNegative: zero,
      returnToStockItemIds: [],
      hooks: [giveBackWithMemo()],
    });
  const cancel = (orderId: number) => cancelOrder(fork(), orderId, [giveBackOnCancel()]);
  const unpaid = { paid: false, shipped: false };

  describe.each([
    ['settled return', {}, async (order: Awaited<ReturnType<typeof paidByCard>>) => settle(await returnOf(order))],
    ['memo by hand', {}, ({ orderId }: { orderId: number }) => refundAll(orderId)],
    ['cancelled order', unpaid, ({ orderId }: { orderId: number }) => cancel(orderId)],
  ] as const)('a %s', (_what, wanted, giveBack) => {
    test('to an expired card renews it until the end of a day in a year', async () => {
      const order = await paidByCard(wanted);
      await change('gift_card', { code: order.code }, { expires_at: daysAgo(3) });
      await giveBack(order);
      expect(await onCard(order.code)).not.toBe('0.0000');
      expect(await lastMoment(order.code)).toEqual(lastSecondIn(365));
      expect((await commentsOf(order.orderId, 'comment')).map(({ comment }) => comment).join()).toContain(
        'It had expired and is valid until',
      );
    });

    test('to a disabled card issues a new one, once, with the same money', async () => {
      const order = await paidByCard(wanted);
      await change('gift_card', { code: order.code }, { state: 'disabled' });
      await giveBack(order);
      const [issued, ...others] = await giftCardsIssuedFor(fork(), order.orderId);
      expect(others).toEqual([]);
      expect(issued?.code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
      expect(issued?.balance).toBe(issued?.amount);
      expect(await onCard(order.code)).toBe('0.0000');
      const story = JSON.stringify(await commentsOf(order.orderId, 'comment'));
      expect(story).toContain('on the new gift card ****');
      expect(story).not.toContain(issued?.code);
      await booksHold();
    });

    test('to a card that is valid leaves its last day as it is', async () => {
      const order = await paidByCard(wanted);
      const expiresAt = new Date(Math.floor(inSeconds(3_600).getTime() / 1_000) * 1_000);
      await change('gift_card', { code: order.code }, { expires_at: expiresAt });
      await giveBack(order);
      expect(await lastMoment(order.code)).toEqual(expiresAt);
      expect(await giftCardsIssuedFor(fork(), order.orderId)).toEqual([]);
    });
  });

  test('the preview shows the new card without a code, and the settled return has it', async () => {
    const order = await paidByCard();
    const { orderId, itemIds, code } = order;
    const preview = () =>
      previewRefund(fork(), {
        orderId,
        items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }],
        options: plainSettlement,
      });
    expect((await preview()).legs).toMatchObject([{ kind: 'gift_card' }]);
    expect((await preview()).legs[0]).not.toHaveProperty('newCardId');
    await change('gift_card', { code }, { state: 'disabled' });
    expect((await preview()).legs).toMatchObject([{ kind: 'gift_card', newCardId: null }]);

    const returnId = await returnOf(order);
    await settle(returnId);
    const { refundLegs, newCards } = await findReturn(fork(), returnId);
    expect(newCards).toMatchObject([{ cardId: refundLegs[0]?.newCardId }]);
    expect(JSON.stringify(refundLegs)).not.toContain(newCards[0]?.code);
  });

  test('eight settles at once and a repeat issue one card; the next return goes to that card', async () => {
    const order = await paidByCard();
    await change('gift_card', { code: order.code }, { state: 'disabled' });
    const returnId = await returnOf(order);
    await eightAtOnce(() => settle(returnId).catch(() => undefined));
    const [issued] = await giftCardsIssuedFor(fork(), order.orderId);
    expect(await find('order_credit_return', {}, 'issued_card_id')).toContainEqual({ issued_card_id: issued?.cardId });

    await settle(await returnOf(order));
    expect(await giftCardsIssuedFor(fork(), order.orderId)).toHaveLength(1);
    expect(await onCard(issued!.code)).toBe('30.0000');
    await booksHold();
  });

  test('eight cancels at once issue one card', async () => {
    const order = await paidByCard(unpaid);
    await change('gift_card', { code: order.code }, { state: 'disabled' });
    await eightAtOnce(() => cancel(order.orderId));
    const issued = await giftCardsIssuedFor(fork(), order.orderId);
    expect(issued).toHaveLength(1);
    expect(await onCard(issued[0]!.code)).toBe('30.0000');
  });

  test('a new card lasts as long as the disabled one: never expires stays never, a later day stays', async () => {
    const forever = await paidByCard(unpaid);
    await change('gift_card', { code: forever.code }, { state: 'disabled' });
    await cancel(forever.orderId);
    expect(await giftCardsIssuedFor(fork(), forever.orderId)).toMatchObject([{ expiresAt: null }]);
    const long = await paidByCard(unpaid);
    await change('gift_card', { code: long.code }, { state: 'disabled', expires_at: lastSecondIn(900) });
    await cancel(long.orderId);
    expect(await giftCardsIssuedFor(fork(), long.orderId)).toMatchObject([{ expiresAt: lastSecondIn(900) }]);
  });

  test('the merchant says for how many days', async () => {
    await write(
      `insert into config_value (path, value, scope, scope_id, is_encrypted)
       values ('vendor_pos/gift_card/refund_validity_days', '30', 'websites', 1, false)`,
    );
    const order = await paidByCard(unpaid);
    await change('gift_card', { code: order.code }, { expires_at: daysAgo(1) });
    await cancel(order.orderId);
    expect(await lastMoment(order.code)).toEqual(lastSecondIn(30));
    await write(`delete from config_value where path = 'vendor_pos/gift_card/refund_validity_days'`);
  });

  test('the ledger check finds money that came to a card that could not be spent', async () => {
    const order = await paidByCard(unpaid);
    await cancel(order.orderId);
    await booksHold();
    await change('gift_card', { code: order.code }, { expires_at: daysAgo(2) });
    expect((await verify(fork())).map(({ id }) => id)).toEqual(['K-04']);
    await change('gift_card', { code: order.code }, { expires_at: null });
    await write(`alter table gift_card disable trigger gift_card_disabled`);
    await change('gift_card', { code: order.code }, { state: 'disabled', disabled_at: daysAgo(1) });
    expect((await verify(fork())).map(({ id }) => id)).toEqual(['K-04']);
    await change('gift_card', { code: order.code }, { state: 'active', disabled_at: null });
    await write(`alter table gift_card enable trigger gift_card_disabled`);
    // Disabled after the money came: that is the merchant's own decision.
    await change('gift_card', { code: order.code }, { state: 'disabled' });
    await booksHold();
  });

  describe('a person extends a card', () => {
    const extend = (code: string, lastDay: string) => extendGiftCard(fork(), { code, lastDay, now: new Date() });
    const dayIn = (days: number) => dateAfter(localDateOf(new Date(), newYork), days);
    async function anExpiredCard() {
      const code = await aGiftCard(orm, '30');
      await change('gift_card', { code }, { expires_at: daysAgo(1) });
      return code;
    }

    test('until the end of a day in New York, with a line of audit; a repeat changes nothing', async () => {
      const code = await anExpiredCard();
      expect(await extend(` ${code.toLowerCase()}`, dayIn(10))).toMatchObject({ isChanged: true });
      expect(await extend(code, dayIn(10))).toMatchObject({ isChanged: false });
      expect(await lastMoment(code)).toEqual(lastSecondIn(10));
      const { card_id: cardId } = await findOne('gift_card', { code }, 'card_id');
      const audited = await rows(
        `select new_value from pos_audit_log where entity_type = 'gift_card' and field_name = 'expires_at'
           and entity_id = ?`,
        String(cardId),
      );
      expect(audited).toEqual([{ new_value: lastSecondIn(10).toISOString() }]);
    });

    test('never to an earlier day, a day that is over, or where nothing expires', async () => {
      const code = await anExpiredCard();
      await expect(extend(code, dayIn(-1))).rejects.toMatchObject({ status: 400 });
      await extend(code, dayIn(10));
      await expect(extend(code, dayIn(9))).rejects.toMatchObject({ status: 400 });
      await expect(extend(await aGiftCard(orm, '5'), dayIn(9))).rejects.toMatchObject({ status: 400 });
      await expect(extend('NO-SUCH-CARD', dayIn(9))).rejects.toMatchObject({ status: 404 });
    });

    test('eight at once to two days: the later one stays', async () => {
      const code = await anExpiredCard();
      await outcomesAtOnce(8, (number) => extend(code, dayIn(10 + (number % 2))));
      expect(await lastMoment(code)).toEqual(lastSecondIn(11));
    });
  });
});
