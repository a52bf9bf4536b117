/** Where a value holds: everywhere, on a website, in a store view. A narrower value wins. */
export type AttributeScope = 'global' | 'website' | 'store';

export interface ProductAttribute {
  code: string;
  label: string;
  /** The kind of its input field. */
  input: string;
  /** The kind of its column on the platform. */
  backend: string;
  scope: AttributeScope;
  isRequired: boolean;
}

const attribute = (
  code: string,
  label: string,
  [input, backend]: readonly [string, string],
  scope: AttributeScope = 'global',
): ProductAttribute => ({ code, label, input, backend, scope, isRequired: required.has(code) });

const required = new Set(['name', 'sku', 'price', 'price_type', 'sku_type', 'weight_type', 'price_view']);

const line = ['text', 'varchar'] as const;
const area = ['textarea', 'text'] as const;
const cost = ['price', 'decimal'] as const;
const day = ['date', 'datetime'] as const;
const choice = ['select', 'int'] as const;
const picture = ['media_image', 'varchar'] as const;

/** The platform's own product attributes (platform facts 9.1). Their ids are their positions, from 1. */
export const platformAttributes: readonly ProductAttribute[] = [
  attribute('name', 'Product Name', line, 'store'),
  attribute('sku', 'SKU', ['text', 'static']),
  attribute('description', 'Description', area, 'store'),
  attribute('short_description', 'Short Description', area, 'store'),
  attribute('price', 'Price', cost),
  attribute('special_price', 'Special Price', cost, 'website'),
  attribute('special_from_date', 'Special Price From Date', day, 'website'),
  attribute('special_to_date', 'Special Price To Date', day, 'website'),
  attribute('cost', 'Cost', cost, 'website'),
  attribute('weight', 'Weight', ['weight', 'decimal']),
  attribute('manufacturer', 'Manufacturer', choice),
  attribute('meta_title', 'Meta Title', line, 'store'),
  attribute('meta_keyword', 'Meta Keywords', area, 'store'),
  attribute('meta_description', 'Meta Description', ['textarea', 'varchar'], 'store'),
  attribute('image', 'Base', picture, 'store'),
  attribute('small_image', 'Small', picture, 'store'),
  attribute('thumbnail', 'Thumbnail', picture, 'store'),
  attribute('swatch_image', 'Swatch', picture, 'store'),
  attribute('media_gallery', 'Media Gallery', ['gallery', 'static']),
  attribute('tier_price', 'Tier Price', ['text', 'decimal']),
  attribute('color', 'Color', choice),
  attribute('news_from_date', 'Set Product as New from Date', day, 'website'),
  attribute('news_to_date', 'Set Product as New to Date', day, 'website'),
  attribute('status', 'Enable Product', choice, 'website'),
  attribute('visibility', 'Visibility', choice, 'store'),
  attribute('url_key', 'URL Key', line, 'store'),
  attribute('category_ids', 'Categories', ['text', 'static']),
  attribute('country_of_manufacture', 'Country of Manufacture', ['select', 'varchar'], 'website'),
  attribute('msrp', "Manufacturer's Suggested Retail Price", cost, 'website'),
  attribute('gift_message_available', 'Allow Gift Message', ['select', 'varchar']),
  attribute('tax_class_id', 'Tax Class', choice, 'website'),
  attribute('quantity_and_stock_status', 'Quantity', choice),
];

const byCode = new Map(platformAttributes.map((one) => [one.code, one]));

/** Whether its value is a text, of one line or several. */
export const isLine = (code: string): boolean => {
  const known = byCode.get(code);
  return known !== undefined && known.backend !== 'static' && (known.input === 'text' || known.input === 'textarea');
};

/** One of the platform's attributes. */
export const platformAttribute = (code: string): ProductAttribute | undefined => byCode.get(code);

export const isOfPlatform = (code: string): boolean => byCode.has(code);

/** Where the values of an attribute hold. */
export type ScopeOf = (code: string) => AttributeScope;

/** Attributes that a shop added hold everywhere unless it says otherwise: a barcode does not depend on language. */
export const scopeOf: ScopeOf = (code) => byCode.get(code)?.scope ?? 'global';
