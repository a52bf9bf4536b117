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
