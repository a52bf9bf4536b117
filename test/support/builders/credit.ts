import type { MikroORM } from '@mikro-orm/postgresql';
import { reserveCreditRefund, type RequestedCreditRefund } from '../../../db/credits/reserve-credit-refund.ts';
import { createGiftCard } from '../../../db/gift-cards/create-gift-card.ts';
import { movePoints } from '../../../db/reward-points/move-points.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { transact } from '../../../db/support/transact.ts';
import { formatAmount, money } from '../../../domain/money.ts';
import { anOrder } from './order.ts';
import { refundPieces } from './refunded-sale.ts';
import { aCustomer, anEntry } from './wallet.ts';

let made = 0;

/** A customer with so much store credit on website 1. */
export async function aCustomerWithCredit(orm: MikroORM, amount: string): Promise<number> {
  const customerId = await aCustomer(orm.em.fork());
  await addEntry(orm.em, anEntry(customerId, { amount }));
  return customerId;
}

/** What is in the wallet, as the database has it: `"25.0000"`. */
export const walletOf = async (orm: MikroORM, customerId: number) =>
  formatAmount((await findBalance(orm.em.fork(), customerId, 1)).amount);

/** Reserves a refund to store credit of website 1; each call is a new refund, to the order's customer. */
export const reserveStoreCredit = (
  orm: Pick<MikroORM, 'em'>,
  wanted: Partial<RequestedCreditRefund> & Pick<RequestedCreditRefund, 'orderId' | 'amount'>,
) =>
  reserveCreditRefund(orm.em.fork(), {
    kind: 'store_credit',
    providerCode: 'store_credit',
    baseCurrencyCode: 'USD',
    websiteId: 1,
    customerId: null,
    code: null,
    reason: 'a return',
    requestKey: null,
    ...wanted,
  });

/** Two pieces were sold to a customer, and one of them came back. */
export async function aRefundedSale(orm: Pick<MikroORM, 'em'>): Promise<{ orderId: number; customerId: number }> {
  const customerId = await aCustomer(orm.em.fork());
  const sale = await anOrder(orm.em.fork(), { customerId });
  await refundPieces(orm.em.fork(), sale, 1);
  return { orderId: sale.orderId, customerId };
}

/** One piece came back, and of its money 10 were reserved as store credit a minute ago: what a crash leaves. */
export async function reservedStoreCredit(
  orm: Pick<MikroORM, 'em'>,
  wanted: Partial<RequestedCreditRefund> = {},
): Promise<{ refundId: number; orderId: number; customerId: number }> {
  const { orderId, customerId } = await aRefundedSale(orm);
  const { refundId } = await reserveStoreCredit(orm, {
    orderId,
    amount: money('10'),
    customerId,
    ...wanted,
  });
  await orm.em
    .fork()
    .execute(`update credit_refund set created_at = now() - interval '1 minute' where refund_id = ?`, [refundId]);
  return { refundId, orderId, customerId };
}

/** A gift card of website 1 that never lapses. */
export async function aGiftCard(orm: MikroORM, amount: string): Promise<string> {
  const code = `TEST-CARD-${String(++made).padStart(4, '0')}`;
  await createGiftCard(orm.em, { code, websiteId: 1, amount: money(amount), reason: 'test', expiresAt: null });
  return code;
}

export async function cardBalance(orm: MikroORM, code: string): Promise<string | undefined> {
  const [card] = await orm.em
    .fork()
    .execute<{ balance: string }[]>('select balance from gift_card where code = ?', [code]);
  return card?.balance;
}

const pointsTerms = {
  'vendor_reward_points/general/enabled': '1',
  'vendor_reward_points/spending/currency_per_point': '0.01',
  'vendor_reward_points/spending/granularity': '1',
};

/** So many points for a customer on website 1; a hundred are worth one dollar. */
export async function withPoints(orm: MikroORM, customerId: number, points: number): Promise<void> {
  for (const [path, value] of Object.entries(pointsTerms)) {
    await orm.em
      .fork()
      .execute('insert into config_value (path, value, is_encrypted) values (?, ?, false) on conflict do nothing', [
        path,
        value,
      ]);
  }
  await transact(orm.em, (tx) =>
    movePoints(tx, {
      customerId,
      websiteId: 1,
      kind: 'adjusted',
      delta: points,
      orderId: null,
      reason: 'test',
      key: `test-points-${customerId}-${++made}`,
    }),
  );
}

export async function pointsOf(orm: MikroORM, customerId: number): Promise<number | undefined> {
  const [account] = await orm.em
    .fork()
    .execute<{ balance: number }[]>('select balance from reward_points_account where customer_id = ?', [customerId]);
  return account?.balance;
}
