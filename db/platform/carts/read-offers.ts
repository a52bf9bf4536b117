import type { EntityManager } from '@mikro-orm/postgresql';
import { none } from '../../../domain/money.ts';
import {
  optionsMissing,
  requireOffered,
  type Offered,
  type Stocked,
} from '../../../domain/platform/carts/shop-choices.ts';
import type { CustomOption } from '../../../domain/platform/catalog/custom-options.ts';
import {
  childIds,
  choicesOf,
  configurableOptions,
  type ChosenOption,
  type StoredChoice,
} from '../../../domain/platform/catalog/entered-options.ts';
import { stockRulesOf } from '../../../domain/platform/stock-rules.ts';
import { isAmongSkus } from '../../support/columns.ts';
import { json, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { statusOn } from '../catalog/attribute-sql.ts';
import { linksKey, optionsKey } from '../catalog/configurable-products.ts';
import { lookUpProductAttribute } from '../catalog/read-product-attributes.ts';
import type { CheckedAddress } from '../customers/addresses.ts';
import { readSalability } from '../inventory/source-items.ts';
import { ownStockRuleColumns, ownStockRules, stockSettings, stockSettingsKind } from '../inventory/stock-rules-sql.ts';

/** A product as a website sells it now. */
export interface Offer extends Offered, Stocked {
  productId: number;
  sku: string;
  options: readonly CustomOption[];
}

const offers = sql('read-offers.offers', { gives: { ...ownStockRules, ...stockSettingsKind } })`
  select p.entity_id as product_id, p.sku, p.type_id, p.options, ${statusOn('p', 'w.website_id')} as status,
    w.website_id::text = any(p.website_ids) as is_on_website, p.is_qty_decimal,
    p.manage_stock, ${ownStockRuleColumns('p')}, ${stockSettings} as settings,
    (select s.stock_id from inventory_stock s where s.website_codes @> to_jsonb(array[w.code])
     order by s.stock_id limit 1) as stock_id
  from product p join website w on w.website_id = $websiteId
  where ${isAmongSkus('p.sku')}`;

/** This lock makes two buyers of the last piece wait for each other. */
const lock = sql('read-offers.lock')`
  select from inventory_source_item i
  where i.sku = any($skus::text[])
    and i.source_code in (select source_code from inventory_stock_source where stock_id = $stockId)
  order by i.sku, i.source_code for update`;

/**
 * Whether a website sells these products now, and how many of each. Unknown products are left out. When the website has
 * no stock, none of the products with a stock limit is available.
 *
 * @param isBinding locks the source items until the transaction ends, before it counts
 */
export async function readOffers(
  em: EntityManager,
  { skus, websiteId }: { skus: readonly string[]; websiteId: number },
  { isBinding }: { isBinding: boolean },
): Promise<Offer[]> {
  const rows = (await offers.all(em, { skus, websiteId })).map(ruled);
  const limited = rows.filter((row) => row.isLimited).map((row) => row.sku);
  const stockId = rows[0]?.stockId ?? null;
  const salable = stockId === null ? new Map() : await salableBySku(em, { limited, stockId, isBinding });
  return rows.map(({ status, stockId: _stockId, ...offer }) => ({
    ...offer,
    isEnabled: status === 1,
    salable: salable.get(offer.sku) ?? none,
  }));
}

function ruled({ settings, manageStock, ...row }: RowFrom<typeof offers>) {
  const rules = stockRulesOf(row, settings);
  return { ...row, ...rules, isLimited: manageStock && rules.backorders === 0 };
}

async function salableBySku(
  em: EntityManager,
  { limited, stockId, isBinding }: { limited: readonly string[]; stockId: number; isBinding: boolean },
) {
  if (isBinding && limited.length > 0) await lock.run(em, { skus: limited, stockId });
  const rows = await readSalability(em, { skus: limited, stockId });
  return new Map(rows.map(({ sku, quantity }) => [sku, quantity]));
}

/** A billing or shipping address of a cart, with the fields of an order's address. */
export interface CartAddress extends CheckedAddress {
  addressId: number;
  email: string | null;
  customerAddressId: number | null;
  sameAsBilling: boolean;
  saveInAddressBook: boolean;
}

const selectOffers = sql('read-offers.selectOffers', { gives: { address: definite(json<CartAddress>()) } })`
  select address_type, json_build_object('addressId', address_id, 'firstname', firstname, 'lastname', lastname,
    'middlename', middlename, 'prefix', prefix, 'suffix', suffix, 'company', company, 'street', street, 'city', city,
    'region', region, 'regionCode', region_code, 'regionId', region_id, 'postcode', postcode,
    'countryId', country_id, 'telephone', telephone, 'fax', fax, 'email', email, 'vatId', vat_id,
    'customerAddressId', customer_address_id, 'sameAsBilling', same_as_billing,
    'saveInAddressBook', save_in_address_book) as address
  from quote_address where quote_id = $quoteId`;

/** Both addresses of a cart, as far as they are known. */
export async function readCartAddresses(
  em: EntityManager,
  quoteId: number,
): Promise<{ billing: CartAddress | undefined; shipping: CartAddress | undefined }> {
  const rows = await selectOffers.all(em, { quoteId });
  const find = (type: 'billing' | 'shipping') => rows.find((row) => row.addressType === type)?.address;
  return { billing: find('billing'), shipping: find('shipping') };
}

/** The simple product behind the choices of a configurable one. */
export interface Variant {
  sku: string;
  /** The configurable product. */
  parentId: number;
  choices: readonly StoredChoice[];
}

/**
 * Finds the simple product that a customer means (platform facts 9.1, 11): the first child that has every chosen value.
 *
 * Refused with 400: a product that is not sold here · a choice that is missing, made twice, or of another product;
 * values that no child has; an option whose attribute the shop does not have.
 */
export async function findVariant(em: EntityManager, parent: Offer, chosen: readonly ChosenOption[]): Promise<Variant> {
  requireOffered(parent);
  const row = await readParent.first(em, { productId: parent.productId });
  const stored = row?.extensionAttributes ?? {};
  const options = [];
  for (const { attribute_id: id, label } of configurableOptions(stored[optionsKey], parent.productId)) {
    const attribute = await lookUpProductAttribute(em, id);
    // A product may have been saved with an attribute that the shop does not know: nobody can choose its value.
    if (!attribute) throw optionsMissing();
    options.push({ attributeId: attribute.attribute_id, attributeCode: attribute.attribute_code, label });
  }
  const choices = choicesOf(options, chosen);
  if (!choices) throw optionsMissing();
  const values = Object.fromEntries(
    options.map(({ attributeCode }, at) => [attributeCode, String(choices[at]?.optionValue)]),
  );
  const child = await readChild.first(em, { ids: childIds(stored[linksKey]), values });
  if (!child) throw optionsMissing();
  return { sku: child.sku, parentId: parent.productId, choices };
}

const readParent = sql('read-offers.readParent')`select extension_attributes from product where entity_id = $productId`;

const readChild = sql('read-offers.readChild', { takes: { values: json<Record<string, string>>() } })`
  select sku from product
  where entity_id = any($ids::bigint[]) and not exists (
    select from jsonb_each_text($values::jsonb) v where custom_attributes ->> v.key is distinct from v.value)
  order by entity_id limit 1`;
