import type { EntityManager } from '@mikro-orm/postgresql';
import { Product, type TierPrice } from '../../db/platform/catalog/fixed-product-tax.entity.ts';
import { replaceOptions } from '../../db/platform/catalog/product-links.ts';
import { statement } from '../../db/support/statement.ts';
import { add, amount, money, parseQuantity, pieces } from '../../domain/money.ts';

/** The goods of the demo shop: families of simple products that differ in colour or kind and a little in price. */
interface Family {
  /** The beginning of the sku of each of its products. */
  code: string;
  name: string;
  /** The price of the first variant; each further one costs half a unit more. */
  price: string;
  category: string;
  weight: string;
  variants: readonly string[];
}

const colours = ['White', 'Black', 'Red', 'Blue', 'Green', 'Yellow', 'Grey', 'Orange', 'Violet', 'Brown'];
const scents = ['Cedar', 'Lavender', 'Vanilla', 'Citrus', 'Rose', 'Sandalwood', 'Mint', 'Fig', 'Linen', 'Amber'];
const teas = ['Assam', 'Darjeeling', 'Earl Grey', 'Sencha', 'Jasmine', 'Oolong', 'Rooibos', 'Chai', 'Ceylon', 'Matcha'];
const coffees = [
  'Brazil',
  'Colombia',
  'Ethiopia',
  'Kenya',
  'Peru',
  'Java',
  'Sumatra',
  'Guatemala',
  'Honduras',
  'Decaf',
];
const subjects = ['Lighthouse', 'Harbour', 'Mountain', 'Forest', 'Fox', 'Owl', 'Bicycle', 'Market', 'Bridge', 'Moon'];

/** Category ids as on the platform: 2 is the root, which needs no product. */
export const categories = { tableware: '3', home: '4', pantry: '5', stationery: '6', clothing: '7', services: '8' };

const families: readonly Family[] = [
  { code: 'MUG', name: 'Mug', price: '12', category: categories.tableware, weight: '0.35', variants: colours },
  { code: 'PLATE', name: 'Plate', price: '14', category: categories.tableware, weight: '0.6', variants: colours },
  { code: 'BOWL', name: 'Bowl', price: '11', category: categories.tableware, weight: '0.4', variants: colours },
  { code: 'GLASS', name: 'Glass', price: '8', category: categories.tableware, weight: '0.25', variants: colours },
  { code: 'TOWEL', name: 'Tea towel', price: '9', category: categories.home, weight: '0.1', variants: colours },
  { code: 'CUSHION', name: 'Cushion', price: '24', category: categories.home, weight: '0.5', variants: colours },
  { code: 'CANDLE', name: 'Candle', price: '16', category: categories.home, weight: '0.3', variants: scents },
  { code: 'SOAP', name: 'Soap', price: '6', category: categories.home, weight: '0.12', variants: scents },
  { code: 'TEA', name: 'Tea', price: '7', category: categories.pantry, weight: '0.1', variants: teas },
  { code: 'COFFEE', name: 'Coffee', price: '13', category: categories.pantry, weight: '0.25', variants: coffees },
  {
    code: 'CARD',
    name: 'Greeting card',
    price: '3',
    category: categories.stationery,
    weight: '0.02',
    variants: subjects,
  },
  { code: 'POSTER', name: 'Poster', price: '18', category: categories.stationery, weight: '0.2', variants: subjects },
  {
    code: 'NOTEBOOK',
    name: 'Notebook',
    price: '10',
    category: categories.stationery,
    weight: '0.3',
    variants: colours,
  },
  { code: 'PEN', name: 'Pen', price: '4', category: categories.stationery, weight: '0.02', variants: colours },
  { code: 'SCARF', name: 'Scarf', price: '29', category: categories.clothing, weight: '0.2', variants: colours },
];

/** The shirt that comes in sizes and colours: option ids as the platform numbers attribute options. */
export const shirt = {
  sku: 'SHIRT',
  name: 'Lantern T-shirt',
  price: '25',
  sizes: [
    { label: 'S', optionId: 101 },
    { label: 'M', optionId: 102 },
    { label: 'L', optionId: 103 },
  ],
  colours: [
    { label: 'Black', optionId: 201 },
    { label: 'White', optionId: 202 },
  ],
} as const;

/** Fixed taxes per lamp, before tax, in each website's base currency: country-wide, and for one region instead. */
export const ecoFees = [
  { countryId: 'US', regionId: 0, value: '2.50' },
  { countryId: 'US', regionId: 12, value: '4.00' },
  { countryId: 'CA', regionId: 0, value: '1.20' },
  { countryId: 'DE', regionId: 0, value: '0.89' },
] as const;

/** A mug with a name on it: what is engraved is entered, and the letters are chosen. */
const engravedMug = {
  sku: 'MUG-NAMED',
  name: 'Mug with a name on it',
  price: '14',
  category: categories.tableware,
};

const longestName = 20;

const options = [
  {
    ...{ type: 'field', title: 'Name', sku: 'NAME', price: money('5'), priceType: 'fixed', sortOrder: 1 },
    ...{ isRequire: true, maxCharacters: longestName },
  },
  {
    ...{ type: 'drop_down', title: 'Letters', sortOrder: 2, isRequire: true },
    values: [
      { title: 'Plain', sku: 'PLAIN', price: money('0'), priceType: 'fixed', sortOrder: 1 },
      { title: 'Gold', sku: 'GOLD', price: money('3'), priceType: 'fixed', sortOrder: 2 },
    ],
  },
];

/** Gives the mug its options. One that has some keeps them. */
export async function seedEngravedMug(em: EntityManager): Promise<void> {
  const mug = await em.findOneOrFail(Product, { sku: engravedMug.sku });
  if (mug.options.length > 0) return;
  await replaceOptions(em, mug, options);
  await em.flush();
}

type NewProduct = Pick<Product, 'sku' | 'name' | 'price'> & Partial<Omit<Product, symbol>>;

const everyGroup = 32_000;
const wholesale = 2;
const bothWebsites = [1, 2];
const halfUnit = amount(5_000);
/** Not visible by itself: a variant of a configurable product. */
const hidden = 1;
const noTax = 0;

/** Every product of the shop, in the order of their ids. */
export function demoProducts(): NewProduct[] {
  return [...families.flatMap(plainProducts), ...specialProducts(), ...shirts(), mugWithName()].map(
    (product, index) => ({
      websiteIds: bothWebsites,
      ...product,
      customAttributes: {
        barcode: barcodeOf(index + 1),
        url_key: product.sku.toLowerCase(),
        ...product.customAttributes,
      },
    }),
  );
}

function plainProducts({ code, name, price, category, weight, variants }: Family): NewProduct[] {
  return variants.map((variant, index) => {
    const own = add(money(price), amount(halfUnit * index));
    return {
      sku: `${code}-${variant.toUpperCase().replaceAll(' ', '')}`,
      name: `${name}, ${variant.toLowerCase()}`,
      price: own,
      weight: parseQuantity(weight) ?? null,
      ...inCategories(category),
      tierPrices: tiersOf(code, own),
    };
  });
}

/** Plates are cheaper by the half dozen for everyone; mugs always are for wholesalers. */
function tiersOf(code: string, price: number): TierPrice[] {
  if (code === 'PLATE')
    return [{ customerGroupId: everyGroup, websiteId: 0, qty: pieces(6), value: 0, percentageValue: 100_000 }];
  if (code === 'MUG')
    return [{ customerGroupId: wholesale, websiteId: 0, qty: pieces(1), value: price - 2 * halfUnit }];
  return [];
}

const inCategories = (...ids: readonly string[]) => ({
  categoryIds: [...ids],
  extensionAttributes: { category_links: ids.map((category_id) => ({ position: 0, category_id })) },
});

function specialProducts(): NewProduct[] {
  return [
    {
      sku: 'LAMP-PAPER',
      name: 'Paper lantern with bulb (recycling fee)',
      price: money('39'),
      weight: parseQuantity('0.8') ?? null,
      ...inCategories(categories.home),
    },
    {
      sku: 'LAMP-DESK',
      name: 'Desk lamp (recycling fee)',
      price: money('59'),
      weight: parseQuantity('1.4') ?? null,
      ...inCategories(categories.home),
    },
    {
      sku: 'CHEESE',
      name: 'Mountain cheese, by weight',
      price: money('21.90'),
      weight: pieces(1),
      isQtyDecimal: true,
      minSaleQty: parseQuantity('0.1') ?? null,
      ...inCategories(categories.pantry),
    },
    {
      sku: 'BOOK-LANTERNS',
      name: 'The book of lanterns (no tax)',
      price: money('24.73'),
      taxClassId: noTax,
      ...inCategories(categories.stationery),
    },
    {
      sku: 'RUG',
      name: 'Wool rug, made to order',
      price: money('240'),
      backorders: 1,
      ...inCategories(categories.home),
    },
    {
      sku: 'GIFTWRAP',
      name: 'Gift wrapping',
      price: money('5'),
      typeId: 'virtual',
      manageStock: false,
      ...inCategories(categories.services),
    },
    {
      sku: 'ENGRAVING',
      name: 'Engraving',
      price: money('15'),
      typeId: 'virtual',
      manageStock: false,
      ...inCategories(categories.services),
    },
    {
      sku: 'SIGN-OLD',
      name: 'Old shop sign (not for sale any more)',
      price: money('75'),
      status: 2,
      ...inCategories(categories.home),
    },
  ];
}

/** The last, so that the others keep their ids. */
const mugWithName = (): NewProduct => ({
  ...{ sku: engravedMug.sku, name: engravedMug.name, price: money(engravedMug.price) },
  weight: parseQuantity('0.35') ?? null,
  ...inCategories(engravedMug.category),
});

function shirts(): NewProduct[] {
  const children = shirt.sizes.flatMap((size) =>
    shirt.colours.map((colour) => ({
      sku: `${shirt.sku}-${size.label}-${colour.label.toUpperCase()}`,
      name: `${shirt.name}, ${size.label}, ${colour.label.toLowerCase()}`,
      price: money(shirt.price),
      visibility: hidden,
      weight: parseQuantity('0.2') ?? null,
      ...inCategories(categories.clothing),
      customAttributes: { size: String(size.optionId), color: String(colour.optionId) },
    })),
  );
  const parent = {
    sku: shirt.sku,
    name: shirt.name,
    price: money(shirt.price),
    typeId: 'configurable' as const,
    manageStock: false,
    ...inCategories(categories.clothing),
  };
  return [...children, parent];
}

/** An EAN-13 from the range for a shop's own codes. */
function barcodeOf(number: number): string {
  const digits = `20${String(number).padStart(10, '0')}`;
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return digits + ((10 - (sum % 10)) % 10);
}

/** The assortment. Existing rows stay unchanged. */
export async function seedProducts(em: EntityManager): Promise<void> {
  const products = demoProducts();
  await em.upsertMany(Product, products, { onConflictFields: ['sku'], onConflictAction: 'ignore' });
  await nameFee.run(em);
}

/** As a register shows it. A name that somebody gave it stays. */
const nameFee = statement({
  takes: {},
  text: `update product_attribute set label = 'Recycling fee' where attribute_code = 'eco_fee' and label is null`,
});
