import type { EntityManager } from '@mikro-orm/postgresql';
import { ConfigValue } from '../../db/platform/stores/config-value.entity.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { createGiftCard } from '../../db/gift-cards/create-gift-card.ts';
import { findGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { givePointsByHand } from '../../db/reward-points/give-points.ts';
import { money } from '../../domain/money/amount.ts';
import { credentials } from './credentials.ts';

const [grace] = credentials.customers;
const pointsPath = 'vendor_reward_points/general/enabled';

/** A gift card, and points for Grace, who earns one per dollar; a repeat gives nothing more. */
export async function seedCredits(em: EntityManager): Promise<void> {
  const { code, amount } = credentials.giftCard;
  if (!(await findGiftCard(em, code)))
    await createGiftCard(em, { code, websiteId: 1, amount: money(amount), expiresAt: null, reason: 'demo shop' });
  if ((await em.count(ConfigValue, { path: pointsPath })) === 0)
    await em.insert(ConfigValue, { path: pointsPath, value: '1' });
  const { id: customerId, websiteId } = await em.findOneOrFail(Customer, { email: grace.email });
  const points = credentials.points;
  await givePointsByHand(em, { customerId, websiteId, points, reason: 'Welcome', key: 'demo-points-1' });
}
