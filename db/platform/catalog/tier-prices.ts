import type { EntityManager } from '@mikro-orm/postgresql';
import {
  allGroups,
  noTierPrice,
  skuKey,
  tierFaults,
  type PriceFault,
  type TierRow,
} from '../../../domain/platform/catalog/tier-rows.ts';
import { isAmongSkus } from '../../support/columns.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { Product, type TierPrice } from './product.entity.ts';
import { lockProducts, requireAll } from './store-prices.ts';

/** The platform's id for all groups (platform facts 8). */
export const everyGroup = 32_000;

/**
 * Saves tier prices of many products (platform facts 9.1): one for each website, group and quantity. Valid rows are
 * saved together; each other row gets its errors in the answer. Safe to repeat.
 *
 * @param isWhole removes all other tier prices of each named product
 */
export const setTierPrices = (
  em: EntityManager,
  rows: readonly TierRow[],
  { isWhole }: { isWhole: boolean },
): Promise<PriceFault[]> =>
  eachRow(em, rows, { isWhole }, (product, tier) => {
    product.tierPrices = [...product.tierPrices.filter((one) => !isSamePlace(one, tier)), tier];
    return true;
  });

/** Removes tier prices that match their row exactly. Each other row is answered as a price that does not exist. */
export const dropTierPrices = (em: EntityManager, rows: readonly TierRow[]): Promise<PriceFault[]> =>
  eachRow(em, rows, { isWhole: false }, (product, tier) => {
    const stored = product.tierPrices.filter((one) => !(isSamePlace(one, tier) && isSamePrice(one, tier)));
    const isFound = stored.length < product.tierPrices.length;
    product.tierPrices = stored;
    return isFound;
  });

/** Whether two prices are of one website, group and quantity. */
export const isSamePlace = (one: TierPrice, other: TierPrice) =>
  one.customerGroupId === other.customerGroupId && one.websiteId === other.websiteId && one.qty === other.qty;

const isSamePrice = (one: TierPrice, other: TierPrice) =>
  one.value === other.value && one.percentageValue === other.percentageValue;

const eachRow = (
  em: EntityManager,
  rows: readonly TierRow[],
  { isWhole }: { isWhole: boolean },
  change: (product: Product, tier: TierPrice) => boolean,
): Promise<PriceFault[]> =>
  transact(em, async (tx) => {
    const skus = rows.map(({ sku }) => sku);
    const [products, groups, websites] = [
      await lockProducts(tx, skus),
      await readGroups.all(tx),
      await readSites.all(tx),
    ];
    const idOf = (code: string) => groups.find((group) => isSameCode(group.code, code))?.id;
    const emptied = new Set<string>();
    const faults: PriceFault[] = [];
    for (const row of rows) {
      const product = products.get(skuKey(row.sku));
      const groupId = isSameCode(row.customerGroup, allGroups) ? everyGroup : idOf(row.customerGroup);
      const hasWebsite = websites.some(({ websiteId }) => websiteId === row.websiteId);
      const found = tierFaults(row, { hasProduct: product !== undefined, hasWebsite, hasGroup: groupId !== undefined });
      faults.push(...found);
      if (found.length > 0 || !product || groupId === undefined) continue;
      if (isWhole && !emptied.has(product.sku)) product.tierPrices = [];
      emptied.add(product.sku);
      if (!change(product, tierOf(row, groupId))) faults.push(noTierPrice(row));
    }
    await tx.flush();
    return faults;
  });

const isSameCode = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const tierOf = ({ price, priceType, websiteId, quantity }: TierRow, customerGroupId: number): TierPrice => ({
  ...{ customerGroupId, websiteId, qty: quantity },
  ...(priceType === 'fixed' ? { value: price } : { value: 0, percentageValue: price }),
});

const readGroups = sql('tier-prices.readGroups')`select id, code from customer_group`;

const readSites = sql('tier-prices.readSites')`select website_id from website union select 0`;

/** The tier prices of products, with the codes of their groups. Refused with 404: an unknown sku. */
export async function readTierPrices(em: EntityManager, skus: readonly string[]) {
  const products = await readTiers.all(em, { skus });
  requireAll(
    skus,
    products.map(({ sku }) => sku),
  );
  const groups = await readGroups.all(em);
  const codeOf = (id: number) =>
    id === everyGroup ? allGroups : (groups.find((group) => group.id === id)?.code ?? '');
  return products.flatMap(({ sku, tierPrices }) =>
    tierPrices.map((tier) => ({ ...tier, sku, customerGroup: codeOf(tier.customerGroupId) })),
  );
}

const readTiers = sql('tier-prices.readTiers')`
  select sku, tier_prices from product where ${isAmongSkus('sku')} order by entity_id`;
