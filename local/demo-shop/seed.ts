import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { ContentItem } from '../../db/content/content-renewal.entity.ts';
import { createContent } from '../../db/content/content.ts';
import { publishContent } from '../../db/content/publish-content.ts';
import { createGiftCard } from '../../db/gift-cards/create-gift-card.ts';
import { findGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { AdminUser } from '../../db/platform/access/access-token.entity.ts';
import { createAdminUser } from '../../db/platform/access/create-admin-user.ts';
import { lockAttribute } from '../../db/platform/catalog/attribute-options.ts';
import { createProductAttribute } from '../../db/platform/catalog/attribute-sets.ts';
import { assignToSet } from '../../db/platform/catalog/attributes-of-set.ts';
import { Product, ProductAttributeOption } from '../../db/platform/catalog/fixed-product-tax.entity.ts';
import { lookUpProductAttribute } from '../../db/platform/catalog/search-product-attributes.ts';
import { Category } from '../../db/platform/categories/category.entity.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { createCustomer } from '../../db/platform/customers/customers.ts';
import { createInvoice } from '../../db/platform/invoices/invoices.ts';
import { createOrder } from '../../db/platform/order-saves.ts';
import { Order } from '../../db/platform/orders/order.entity.ts';
import { createShipment } from '../../db/platform/shipments/shipments.ts';
import { ConfigValue, StoreView } from '../../db/platform/stores.ts';
import { givePointsByHand } from '../../db/reward-points/give-points.ts';
import { addEntry } from '../../db/store-credit/add-entry.ts';
import { lockAdvisory } from '../../db/support/lock-advisory.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { money } from '../../domain/money.ts';
import { everyResource } from '../../domain/platform/access.ts';
import { defaultSet } from '../../domain/platform/catalog/product-attributes.ts';
import type { AddressDraft } from '../../domain/platform/customers.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { seedGoods, seedPlaces } from './goods.ts';
import { categories, seedProducts, shirt } from './products.ts';
import { demoSales, postedSale, seedSettings, type DemoSale } from './sales.ts';
import { credentials, goOnAfter, passwordHashes, seedStores, seedTeam } from './stores.ts';

/** "Product Details" of the default set. */
const productDetails = 7;

const own = [
  { attributeCode: 'barcode', frontendInput: 'text', label: 'Barcode' },
  { attributeCode: 'size', frontendInput: 'select', label: 'Size' },
  { attributeCode: 'eco_fee', frontendInput: 'weee', label: 'Recycling fee' },
];

/** The attributes of the shop's own, and what can be chosen of sizes and colours. A repeat makes none. */
async function seedAttributes(em: EntityManager): Promise<void> {
  for (const [at, attribute] of own.entries()) {
    const { attributeCode } = attribute;
    if (await lookUpProductAttribute(em, attributeCode)) continue;
    await createProductAttribute(em, { ...attribute, settings: {} });
    const place = { attributeSetId: defaultSet, attributeGroupId: productDetails };
    await assignToSet(em, { ...place, attributeCode, sortOrder: 200 + at });
  }
  await em.transactional(async (tx) => {
    await seedOptions(tx, 'size', shirt.sizes);
    await seedOptions(tx, 'color', shirt.colours);
  });
  await goOnOptions.all(em);
}

async function seedOptions(em: EntityManager, code: string, options: readonly { label: string; optionId: number }[]) {
  const { attributeId } = await lockAttribute(em, code);
  const rows = options.map((option, sortOrder) => ({ ...option, attributeId, storeLabels: [], sortOrder }));
  await em.upsertMany(ProductAttributeOption, rows, { onConflictFields: ['optionId'], onConflictAction: 'ignore' });
}

const goOnOptions = goOnAfter('product_attribute_option', 'option_id');

/** Categories below the one that both shops show. */
async function seedCategories(em: EntityManager): Promise<void> {
  await em.upsertMany(Category, Object.entries(categories).map(categoryOf));
  await goOnCategories.run(em);
}

function categoryOf([word, id]: [string, string], at: number) {
  const name = `${word[0]?.toUpperCase()}${word.slice(1)}`;
  return {
    ...{ entityId: Number(id), parentId: 2, path: `1/2/${id}`, level: 2, position: at + 1, name },
    customAttributes: { url_key: word },
  };
}

const goOnCategories = goOnAfter('category', 'entity_id');

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
const pointsPath = 'vendor_reward_points/general/enabled';

/** A gift card, and points for Grace, who earns one per dollar; a repeat gives nothing more. */
async function seedCredits(em: EntityManager): Promise<void> {
  const { code, amount } = credentials.giftCard;
  if (!(await findGiftCard(em, code)))
    await createGiftCard(em, { code, websiteId: 1, amount: money(amount), expiresAt: null, reason: 'demo shop' });
  if ((await em.count(ConfigValue, { path: pointsPath })) === 0)
    await em.insert(ConfigValue, { path: pointsPath, value: '1' });
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

const groupIds = { General: 1, Wholesale: 2 } as const;

const homes: Record<'default' | 'ca' | 'eu_de', AddressDraft> = {
  default: {
    street: ['8 Ferry Street'],
    city: 'Troy',
    regionId: 43,
    postcode: '12180',
    countryId: 'US',
    telephone: '+1 518 555 0188',
  },
  ca: {
    street: ['21 Queen Street'],
    city: 'Niagara Falls',
    regionId: 74,
    postcode: 'L2E 2L1',
    countryId: 'CA',
    telephone: '+1 905 555 0121',
  },
  eu_de: {
    street: ['Lindenweg 3'],
    city: 'Berlin',
    regionId: 82,
    postcode: '10119',
    countryId: 'DE',
    telephone: '+49 30 5550133',
  },
};

/** The administrator and the customers, who can sign in with the passwords of `credentials`. */
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
  await Promise.all(credentials.customers.map((customer) => seedCustomer(em.fork(), customer)));
}

async function seedCustomer(
  em: EntityManager,
  { name, email, password, group, store }: (typeof credentials.customers)[number],
): Promise<void> {
  const { storeId, websiteId } = await em.findOneOrFail(StoreView, { code: store });
  if ((await em.count(Customer, { email, websiteId })) > 0) return;
  const [firstname = '', lastname = ''] = name.split(' ');
  const home = { ...homes[store], firstname, lastname, isDefaultBilling: true, isDefaultShipping: true };
  await createCustomer(em, {
    draft: { email, firstname, lastname, groupId: groupIds[group], addresses: [home] },
    currentStoreId: storeId,
    passwordHash: passwordHashes[password],
  });
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
