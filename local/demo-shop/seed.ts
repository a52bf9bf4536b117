import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../cli/apply-shop.ts';
import { importCsv } from '../../cli/import-csv.ts';
import type { CommandContext } from '../../cli/support.ts';
import { ContentItem } from '../../db/content/content.entity.ts';
import { createContent } from '../../db/content/content.ts';
import { publishContent } from '../../db/content/publish-content.ts';
import { createGiftCard } from '../../db/gift-cards/create-gift-card.ts';
import { findGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { AdminUser } from '../../db/platform/access/access.entity.ts';
import { createAdminUser } from '../../db/platform/access/create-admin-user.ts';
import { Product } from '../../db/platform/catalog/product.entity.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { createInvoice } from '../../db/platform/invoices/invoices.ts';
import { createOrder } from '../../db/platform/place-order.ts';
import { Order } from '../../db/platform/orders/order.entity.ts';
import { createShipment } from '../../db/platform/shipments/shipments.ts';
import { ConfigValue } from '../../db/platform/stores/store.entity.ts';
import { givePointsByHand } from '../../db/reward-points/give-points.ts';
import { addEntry } from '../../db/store-credit/add-entry.ts';
import { lockAdvisory } from '../../db/support/lock-advisory.ts';
import { createSecretBox, type KeyRing } from '../../db/support/secret-box.ts';
import { money } from '../../domain/money.ts';
import { everyResource } from '../../domain/platform/access.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { parseSettings } from '../../providers/settings.ts';
import { seedCategories, seedGoods } from './goods.ts';
import { demoSales, postedSale, seedKeys, type DemoSale } from './sales.ts';
import { credentials, passwordHashes, seedTeam } from './stores.ts';

const author = credentials.admin.username;
/** For every store view. */
const everywhere = { storeId: 0, author } as const;

/** What the screens of the shop show before an editor wrote anything. */
const texts = [
  {
    kind: 'block',
    identifier: 'customer_display',
    title: 'Customer display',
    content: '<p>Welcome to {{config path="general/store_information/name"}}.</p>',
    css: 'p { font-size: 2rem }',
  },
  {
    kind: 'block',
    identifier: 'idle_screen',
    title: 'Idle screen',
    content: '<h1>Paper lanterns, made by hand</h1><p>Ask at the counter for a lantern with your name.</p>',
    css: 'h1 { color: teal }',
  },
  {
    kind: 'page',
    identifier: 'returns',
    title: 'Returns',
    content: '<h1>Returns</h1><p>Bring it back within 30 days, with its receipt.</p>',
    css: '',
  },
] as const;

/** Two blocks and a page, published. */
async function seedContent(em: EntityManager, now: Date): Promise<void> {
  for (const { kind, identifier, ...text } of texts) {
    const known = await em.findOne(ContentItem, { kind, identifier, storeId: everywhere.storeId });
    const input = { identifier, liveview: true, ...text };
    const contentId = known?.contentId ?? (await createContent(em, { kind, wish: input, ...everywhere }));
    await publishContent(em, { kind, contentId, author, render: renderContent, now });
  }
}

const [grace] = credentials.customers;

/** A gift card, and points for Grace, who earns one per dollar; a repeat gives nothing more. */
async function seedCredits(em: EntityManager): Promise<void> {
  const { code, amount } = credentials.giftCard;
  if (!(await findGiftCard(em, code)))
    await createGiftCard(em, { code, websiteId: 1, amount: money(amount), expiresAt: null, reason: 'demo shop' });
  const { id: customerId, websiteId } = await em.findOneOrFail(Customer, { email: grace.email });
  const points = credentials.points;
  await givePointsByHand(em, { customerId, websiteId, points, reason: 'Welcome', key: 'demo-points-1' });
}

/** Places the demo orders with the same transactions as a register's calls, in the order of the list. */
async function seedOrders(em: EntityManager, now: Date): Promise<void> {
  for (const sale of demoSales) await seedOrder(em.fork(), sale, now);
}

/** Each step runs only where it has not run yet, so that an interrupted seed continues. */
async function seedOrder(em: EntityManager, sale: DemoSale, now: Date): Promise<void> {
  const placed = await em.findOne(Order, { extOrderId: sale.id });
  const orderId = placed?.entityId ?? (await place(em, sale, now));
  if (sale.layaway) return;
  if (!placed || placed.totalInvoiced === 0) await createInvoice(em, { orderId });
  if (!placed || placed.state !== 'complete') await createShipment(em, { orderId, sourceCode: sale.source });
}

async function place(em: EntityManager, sale: DemoSale, now: Date): Promise<number> {
  const products = await em.find(Product, { sku: { $in: sale.lines.map(({ sku }) => sku) } });
  const customer = sale.customer ? await em.findOneOrFail(Customer, { email: sale.customer }) : undefined;
  const { orderId } = await createOrder(em, postedSale({ sale, products, customer, now }), { now });
  return orderId;
}

/** The administrator, and the passwords of `credentials`, which no file has. */
async function seedPeople(em: EntityManager): Promise<void> {
  const { username, email, password } = credentials.admin;
  await createAdminUser(em, {
    username,
    email,
    firstName: 'Ada',
    lastName: 'Admin',
    passwordHash: passwordHashes[password],
    resources: [everyResource],
  });
  for (const customer of credentials.customers)
    await em.nativeUpdate(Customer, { email: customer.email }, { passwordHash: passwordHashes[customer.password] });
}

/** Grace has 25 dollars of store credit from the administrator; the key makes a repeat harmless. */
async function seedWallet(em: EntityManager): Promise<void> {
  const { id, websiteId } = await em.findOneOrFail(Customer, { email: grace.email });
  const { userId } = await em.findOneOrFail(AdminUser, { username: credentials.admin.username });
  await addEntry(em, {
    customerId: id,
    websiteId,
    operation: 'credit',
    amount: money('25'),
    reason: 'A parcel came late',
    source: 'demo shop',
    idempotencyKey: 'demo-wallet-1',
    actor: { adminUserId: userId },
  });
}

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
  const operator = operatorOf(newSession, secrets);
  await applyShopFile(operator, fileURLToPath(new URL('shop.yaml', folder)), {});
  await seedTeam(newSession(), secrets);
  await seedKeys(newSession(), secrets);
  // Orders come after them: what was sold since has left the shelves, and stays away.
  if ((await newSession().count(Order)) === 0) await importLists(operator, newSession());
  await seedPeople(newSession());
  await seedContent(newSession(), new Date());
  await seedOrders(newSession(), new Date());
  await seedWallet(newSession());
  await seedCredits(newSession());
  await newSession().insert(ConfigValue, { path: markPath, value: '1' });
}

const folder = new URL('./', import.meta.url);

/** The operator's tool, with nothing but the database. */
const operatorOf = (newSession: () => EntityManager, secrets: KeyRing): CommandContext => ({
  settings: parseSettings({}),
  ready: undefined,
  em: async () => newSession(),
  workflows: () => Promise.reject(new Error('The demo shop is made without workflows.')),
  secrets: () => secrets,
  now: () => new Date(),
});

/**
 * Products, what lies on the shelves, and customers. An import notes its progress beside its file, so each is copied.
 */
async function importLists(operator: CommandContext, em: EntityManager): Promise<void> {
  await seedCategories(em);
  const aside = mkdtempSync(join(tmpdir(), 'pos-demo-shop-'));
  try {
    const load = async (what: string) => {
      const file = join(aside, `${what}.csv`);
      copyFileSync(new URL(`${what}.csv`, folder), file);
      const { isFine, text } = await importCsv(operator, what, file, () => undefined);
      if (!isFine)
        throw new Error(`${what}.csv of the demo shop: ${text}\n${readFileSync(`${file}.refused.csv`, 'utf8')}`);
    };
    await load('products');
    await Promise.all([load('stock'), load('customers'), seedGoods(em)]);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

const isSeeded = async (em: EntityManager) => (await em.count(ConfigValue, { path: markPath })) > 0;

async function hasOrdersOfItsOwn(em: EntityManager): Promise<boolean> {
  const rows = await em.execute<object[]>(
    `select 1 from sales_order where ext_order_id is null or ext_order_id not like 'demo-%' limit 1`,
  );
  return rows.length > 0;
}
