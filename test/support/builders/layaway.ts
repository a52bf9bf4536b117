import type { EntityManager } from '@mikro-orm/postgresql';
import type { PostedColumns } from '../../../db/platform/orders/posted-order.ts';
import { money, type Amount } from '../../../domain/money.ts';
import { mirrorLayaway } from '../../../db/layaways/read-layaway.ts';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { anOrder, type WantedOrder } from './order.ts';

/** A layaway of two mugs, 108 in all, open for a month by default. */
export const aLayaway = (em: EntityManager, wanted: WantedOrder & { expiresAt?: Date | null } = {}) => {
  const { expiresAt = new Date(Date.now() + 30 * 86_400_000), columns, ...more } = wanted;
  const expiry: PostedColumns = expiresAt === null ? {} : { posLayawayExpiresAt: expiresAt };
  return anOrder(em, {
    layaway: true,
    hooks: [createCreditSpender(), mirrorLayaway],
    columns: { ...expiry, ...columns },
    ...more,
  });
};

let requests = 0;

/** A payment in cash, with its own operation key by default. */
export const aPayment = (
  orderId: number,
  amount: string | Amount,
  more: { paymentMethod?: string; reference?: string | null; operationKey?: string; beginBefore?: string } = {},
) => ({
  orderId,
  amount: typeof amount === 'string' ? money(amount) : amount,
  paymentMethod: 'cash',
  reference: null,
  operationKey: `request-${++requests}`,
  // Never too late.
  beginBefore: 'infinity',
  ...more,
});

/** A cancellation, with its own operation key by default. */
export const aCancellation = (
  orderId: number,
  feePercent: number,
  more: { reason?: string | null; operationKey?: string; beginBefore?: string } = {},
) => ({
  orderId,
  feePercent: feePercent * 10_000,
  reason: null,
  actor: {},
  operationKey: `request-${++requests}`,
  // Never too late.
  beginBefore: 'infinity',
  ...more,
});

/** The same for its activity: with the reason sealed. */
export const aSealedCancellation = (orderId: number, feePercent: number) => {
  const { reason, ...others } = aCancellation(orderId, feePercent);
  return { ...others, sealedReason: reason };
};

/** Goods of 108 sold on credit, with this amount due. */
export const anOrderOnCredit = (em: EntityManager, due: string, wanted: WantedOrder = {}) =>
  anOrder(em, {
    paid: false,
    shipped: false,
    ...wanted,
    columns: { posCreditDue: money(due), ...wanted.columns },
  });
