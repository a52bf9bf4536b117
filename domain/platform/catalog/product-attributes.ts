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

/** How the values of an attribute are typed in, by the platform's names (platform facts 9.1). */
export interface AttributeInput {
  value: string;
  label: string;
  /** The kind of its column on the platform. */
  backend: string;
}

const input = (value: string, label: string, backend: string): AttributeInput => ({ value, label, backend });

/** Swatches are missing: no page of the shop draws them. */
export const attributeInputs: readonly AttributeInput[] = [
  input('text', 'Text Field', 'varchar'),
  input('textarea', 'Text Area', 'text'),
  input('texteditor', 'Text Editor', 'text'),
  input('date', 'Date', 'datetime'),
  input('datetime', 'Date and Time', 'datetime'),
  input('boolean', 'Yes/No', 'int'),
  input('multiselect', 'Multiple Select', 'text'),
  input('select', 'Dropdown', 'int'),
  input('price', 'Price', 'decimal'),
  input('media_image', 'Media Image', 'varchar'),
  input('weee', 'Fixed Product Tax', 'static'),
];

const backends = new Map(attributeInputs.map(({ value, backend }) => [value, backend]));

export const isAttributeInput = (value: string): boolean => backends.has(value);

export const backendOf = (value: string): string => backends.get(value) ?? 'varchar';

/** Whether its values are the ids of options. */
export const hasOptions = (value: string): boolean => value === 'select' || value === 'multiselect';

/** The platform's set of products, and that of every product without another (platform facts 9.1). */
export const defaultSet = 4;

/** The platform's number for products among the records that have attributes. */
export const productEntity = 4;

/** Records that have attributes; their numbers are their places, and the one set of each but products has that id. */
export const entityTypes = [
  'customer',
  'customer_address',
  'catalog_category',
  'catalog_product',
  'order',
  'invoice',
  'creditmemo',
  'shipment',
] as const;

/** Attributes of the platform that a shop may take out of a set, because the platform made them as a shop would. */
const dispensable: ReadonlySet<string> = new Set(['color', 'cost', 'manufacturer']);

/** Whether an attribute of the platform stays in the sets that have it: it is not answered as a shop's own. */
export const isFixedInSets = (code: string): boolean => !dispensable.has(code);

/** The code of a group that only has a name: the same name gives the same code. */
export function groupCodeOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return plain || Array.from(name, (character) => (character.codePointAt(0) ?? 0).toString(16)).join('');
}

/** The permitted form of an attribute's code. */
const form = /^[a-z][a-z0-9_]{0,59}$/;

/** Longer ones, and those with a dash at the end, get a prefix on the platform. */
const derivedForm = /^[a-z][a-z_0-9]{0,29}[a-z0-9]$/;

const mostCharacters = 60;

export const isAttributeCode = (code: string): boolean => form.test(code);

/** The code of an attribute that only has a label (platform facts 9.1): the same label gives the same code. */
export function codeOf(label: string): string {
  const plain = label
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (derivedForm.test(plain)) return plain;
  return `attr_${plain || inDigits(label)}`.slice(0, mostCharacters);
}

/** Of a label without Latin letters. */
const inDigits = (label: string) =>
  Array.from(label, (character) => (character.codePointAt(0) ?? 0).toString(16)).join('') || 'x';

/**
 * Names that mean something else in a product, in a list of products or in the platform's own code; an attribute of
 * this code would hide it.
 */
const reserved: ReadonlySet<string> = new Set(
  `attribute_set_id attributes cache_id_tags category category_collection category_id category_ids collection
  created_at cross_sell_products custom_attributes custom_options data default_attribute_set_id entity_id entity_type_id
  extension_attributes final_price formatted_price id identities is_salable is_virtual link_instance media_attributes
  media_gallery_entries media_gallery_images media_gallery name option_by_id options orig_data position
  preconfigured_values price price_info price_model product_links product_url qty quantity_and_stock_status
  related_products request_path reserved_attributes resource sku special_price status store store_id store_ids
  tier_price tier_prices type_id type_instance up_sell_products updated_at url_in_store url_key url_model url_path
  visibility website_id website_ids website_store_ids weight`.split(/\s+/),
);

export const isReservedCode = (code: string): boolean => reserved.has(code);

/** A text in one store view. */
export interface StoreLabel {
  storeId: number;
  label: string;
}

/** What callers keep with an attribute and read back; its keys are those of the wire (platform facts 9.1). */
export interface AttributeSettings {
  default_value?: string;
  note?: string;
  frontend_class?: string;
  apply_to?: string[];
  validation_rules?: unknown[];
  is_searchable?: boolean;
  is_visible_in_advanced_search?: boolean;
  is_comparable?: boolean;
  is_used_for_promo_rules?: boolean;
  is_visible_on_front?: boolean;
  used_in_product_listing?: boolean;
  is_visible?: boolean;
  is_filterable?: boolean;
  is_filterable_in_search?: boolean;
  is_used_in_grid?: boolean;
  is_visible_in_grid?: boolean;
  is_filterable_in_grid?: boolean;
  used_for_sort_by?: boolean;
  is_wysiwyg_enabled?: boolean;
  is_html_allowed_on_front?: boolean;
  position?: number;
}

/** What holds where nobody said otherwise: promotions may use any attribute, and lists may be sorted by it. */
export const usualSettings = {
  ...{ apply_to: [], is_searchable: false, is_visible_in_advanced_search: false, is_comparable: false },
  ...{ is_used_for_promo_rules: true, is_visible_on_front: false, used_in_product_listing: true, is_visible: true },
  ...{ is_filterable: false, is_filterable_in_search: false, used_for_sort_by: true },
  ...{ is_wysiwyg_enabled: false, is_html_allowed_on_front: false, position: 0 },
} satisfies AttributeSettings;

/** The label in a store view; the one of all views where it has none. */
export const labelIn = (
  { label, storeLabels }: { label: string; storeLabels: readonly StoreLabel[] },
  storeId: number,
): string => storeLabels.find((one) => one.storeId === storeId)?.label ?? label;

/** Labels by store view, without those of all views (0): the last one of a view counts. */
export const ofViews = (labels: readonly StoreLabel[]): StoreLabel[] =>
  [...new Map(labels.map((one) => [one.storeId, one])).values()].filter(
    ({ storeId, label }) => storeId > 0 && label !== '',
  );

/** The label above all store views, among those of views. */
export const labelAbove = (labels: readonly StoreLabel[] = []): string | undefined =>
  labels.findLast(({ storeId }) => storeId === 0)?.label;
