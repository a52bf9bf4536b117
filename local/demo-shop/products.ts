import type { EntityManager } from '@mikro-orm/postgresql';
import { Product, type TierPrice } from '../../db/platform/catalog/product.entity.ts';
import { statement } from '../../db/support/statement.ts';
import { add, amount, money } from '../../domain/money/amount.ts';
import { parseQuantity, pieces } from '../../domain/money/quantity.ts';
import { engravedMug } from './engraved-mug.ts';
import { categories, families, shirt, type Family } from './assortment.ts';

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
