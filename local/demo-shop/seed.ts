import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { lockAdvisory } from '../../db/support/lock-advisory.ts';
import { ConfigValue } from '../../db/platform/stores/config-value.entity.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { seedAttributes } from './attributes.ts';
import { seedCategories } from './categories.ts';
import { seedContent } from './content.ts';
import { seedCredits } from './credits.ts';
import { seedGoods } from './goods.ts';
import { seedOrders } from './orders.ts';
import { seedPeople } from './people.ts';
import { seedPlaces } from './places.ts';
import { seedProducts } from './products.ts';
import { seedSettings } from './settings.ts';
import { seedStores } from './stores.ts';
import { seedTeam } from './team.ts';
import { seedWallet } from './wallet.ts';

/** Set when the shop is complete: from then on the seed does not change it. */
const markPath = 'demo_shop/general/seeded';

export type SeedResult =
  | 'seeded'
  /** The demo shop exists, perhaps with people's changes. */
  | 'there already'
  /** The database has another shop, which stays unchanged. */
  | 'left alone';

/**
 * Fills a migrated database with the demo shop, using the shop's own transactions.
 *
 * Safe to repeat: a complete shop is not changed, an interrupted one is completed; of concurrent runs one works and
 * the others find it done. A database with other orders stays unchanged.
 *
 * @param secretKey 32 bytes in base64: seals the provider keys
 */
export const seedDemoShop = (orm: MikroORM, secretKey: string): Promise<SeedResult> =>
  orm.em.fork().transactional(async (em) => {
    await lockAdvisory(em, 'demo shop');
    if (await isSeeded(em)) return 'there already';
    if (await hasOrdersOfItsOwn(em)) return 'left alone';
    await seedAll(orm, secretKey);
    return 'seeded';
  });

async function seedAll(orm: MikroORM, secretKey: string): Promise<void> {
  const newSession = () => orm.em.fork();
  const secrets = createSecretBox(secretKey);
  await seedStores(newSession());
  await seedPlaces(newSession());
  await Promise.all([seedPeople(newSession()), seedTeam(newSession(), secrets), seedAssortment(newSession())]);
  await seedSettings(newSession(), secrets);
  await seedContent(newSession(), new Date());
  await seedOrders(newSession(), new Date());
  await seedWallet(newSession());
  await seedCredits(newSession());
  await newSession().insert(ConfigValue, { path: markPath, value: '1' });
}

async function seedAssortment(em: EntityManager): Promise<void> {
  await seedCategories(em);
  await seedAttributes(em);
  await seedProducts(em);
  await seedGoods(em);
}

const isSeeded = async (em: EntityManager) => (await em.count(ConfigValue, { path: markPath })) > 0;

async function hasOrdersOfItsOwn(em: EntityManager): Promise<boolean> {
  const rows = await em.execute<object[]>(
    `select 1 from sales_order where ext_order_id is null or ext_order_id not like 'demo-%' limit 1`,
  );
  return rows.length > 0;
}
