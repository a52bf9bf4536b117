import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { unitsPerWhole } from '../../../domain/money.ts';
import { dataNotValid, noSuchGroupPrice } from '../../../domain/refusals/catalog.ts';
import { transact } from '../../support/transact.ts';
import { CustomerGroup } from '../customers/customer.entity.ts';
import type { TierPrice } from './product.entity.ts';
import { lockProduct } from './product-places.ts';
import { findProduct } from './find-product.ts';
import { everyGroup, isSamePlace } from './tier-prices.ts';

/** The place of a price of one product: a group, or all of them, from a quantity on, on every website. */
export interface GroupPricePlace {
  sku: string;
  /** A group's id, or `all`. */
  group: string;
  /** In 1/10 000. */
  qty: number;
}

/** The prices of a group, in the order of their rows. Refused with: 404 unknown sku. */
export async function readGroupPrices(em: EntityManager, { sku, group }: Omit<GroupPricePlace, 'qty'>) {
  const { price, tier_prices: tiers } = await findProduct(em, sku);
  const customerGroupId = groupIdOf(group);
  return { price, tiers: tiers.filter((tier) => tier.customerGroupId === customerGroupId) };
}

/**
 * Sets the price of a group from a quantity on, on every website (platform facts 9.1). Safe to repeat.
 *
 * Refused with: 404 unknown sku or group · 400 a price or a quantity that is not above zero.
 */
export const setGroupPrice = (
  em: EntityManager,
  { price, ...place }: GroupPricePlace & { price: number },
): Promise<void> =>
  withTiers(em, place, async (tx, tiers, requested) => {
    if (price <= 0 || place.qty <= 0) throw dataNotValid();
    await refuseUnknownGroup(tx, requested.customerGroupId);
    return [...tiers.filter((one) => !isSamePlace(one, requested)), { ...requested, value: price }];
  });

/** Removes such a price. Refused with 404: unknown sku, no such price, and so a repeat. */
export const dropGroupPrice = (em: EntityManager, place: GroupPricePlace): Promise<void> =>
  withTiers(em, place, async (_tx, tiers, requested) => {
    const stored = tiers.filter((one) => !isSamePlace(one, requested));
    if (stored.length === tiers.length) throw noSuchPrice(place);
    return stored;
  });

type Change = (tx: EntityManager, tiers: readonly TierPrice[], requested: TierPrice) => Promise<TierPrice[]>;

const withTiers = (em: EntityManager, { sku, group, qty }: GroupPricePlace, change: Change): Promise<void> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    const requested = { customerGroupId: groupIdOf(group), websiteId: 0, qty, value: 0 };
    product.tierPrices = await change(tx, product.tierPrices, requested);
    await tx.flush();
  });

const groupIdOf = (group: string) => (group === 'all' ? everyGroup : Number(group));

async function refuseUnknownGroup(em: EntityManager, id: number): Promise<void> {
  if (id === everyGroup) return;
  if (!Number.isInteger(id) || (await em.count(CustomerGroup, { id })) === 0) throw noSuchEntity('id', id);
}

const noSuchPrice = ({ group, qty }: GroupPricePlace) => noSuchGroupPrice([...[group, 0, qty / unitsPerWhole]]);
