import type { EntityManager } from '@mikro-orm/postgresql';
import { createGiftCard } from '../../../db/gift-cards/create-gift-card.ts';
import type { GiftCardMove } from '../../../db/gift-cards/move-gift-card.ts';
import { money } from '../../../domain/money.ts';

let made = 0;

/** A gift card of website 1, by default with 50.00 on it. Returns its code. */
export async function aGiftCard(
  em: EntityManager,
  wanted: { code?: string; amount?: string; websiteId?: number; expiresAt?: Date } = {},
): Promise<string> {
  const code = wanted.code ?? `CARD-${++made}`;
  const { amount = '50', websiteId = 1, expiresAt = null } = wanted;
  await createGiftCard(em, { code, websiteId, amount: money(amount), expiresAt, reason: 'bought' });
  return code;
}

/** Ten dollars spent by default. */
export const aMove = (
  code: string,
  { delta = '-10', ...wanted }: Partial<Omit<GiftCardMove, 'delta'>> & { delta?: string } = {},
): GiftCardMove => ({
  code,
  websiteId: 1,
  kind: 'spent',
  currencyCode: 'USD',
  orderId: null,
  reason: 'a sale',
  key: `move-${++made}`,
  ...wanted,
  delta: money(delta),
});
