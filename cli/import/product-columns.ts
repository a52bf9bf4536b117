import { invalid } from '../../domain/errors.ts';

/** The columns of our own; every other one is an attribute. */
export const ownColumns: ReadonlySet<string> = new Set([
  ...['sku', 'name', 'price', 'status', 'visibility', 'type', 'weight', 'websites', 'categories', 'tax_class_id'],
  ...['store_view', 'attribute_set', 'tax_class', 'additional_attributes', 'qty'],
]);

/** How the platform's export calls our columns and its attributes. */
const platformNames: Readonly<Record<string, string>> = {
  store_view_code: 'store_view',
  attribute_set_code: 'attribute_set',
  product_type: 'type',
  product_websites: 'websites',
  product_online: 'status',
  tax_class_name: 'tax_class',
  special_price_from_date: 'special_from_date',
  special_price_to_date: 'special_to_date',
  new_from_date: 'news_from_date',
  new_to_date: 'news_to_date',
  msrp_price: 'msrp',
  meta_keywords: 'meta_keyword',
};

/** Its columns of the stock item, by the keys of our routes. Those of quantities need a source. */
export const stockColumns: Readonly<Record<string, string>> = {
  out_of_stock_qty: 'min_qty',
  is_qty_decimal: 'is_qty_decimal',
  allow_backorders: 'backorders',
  use_config_backorders: 'use_config_backorders',
  min_cart_qty: 'min_sale_qty',
  use_config_min_sale_qty: 'use_config_min_sale_qty',
  max_cart_qty: 'max_sale_qty',
  use_config_max_sale_qty: 'use_config_max_sale_qty',
  manage_stock: 'manage_stock',
  use_config_qty_increments: 'use_config_qty_increments',
  qty_increments: 'qty_increments',
  use_config_enable_qty_inc: 'use_config_enable_qty_inc',
  enable_qty_increments: 'enable_qty_increments',
};

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Columns of the platform's export of which nothing is made, and why. */
const leftOut: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        'pictures are sent by POST /V1/products/:sku/media',
        `base_image base_image_label small_image small_image_label thumbnail_image thumbnail_image_label swatch_image
         swatch_image_label additional_images additional_image_labels hide_from_product_page`,
      ],
      ['the shop keeps its own', 'created_at updated_at'],
      [
        'no page of the shop is drawn by it',
        `display_product_options_in custom_design custom_design_from custom_design_to custom_layout_update custom_layout
         page_layout product_options_container options_container map_price map_enabled msrp_display_actual_price_type`,
      ],
      [
        'the shop keeps no such rule of stock',
        `use_config_min_qty is_in_stock notify_on_stock_below use_config_notify_stock_qty use_config_manage_stock
         is_decimal_divided website_id deferred_stock_update use_config_deferred_stock_update`,
      ],
      [
        'links between products are sent by POST /V1/products/:sku/links',
        `related_skus related_position crosssell_skus crosssell_position upsell_skus upsell_position re_skus xre_skus
         us_skus cs_skus`,
      ],
      ['options of a product are sent by POST /V1/products/options', 'custom_options'],
      [
        'products that are made of others are not imported',
        `bundle_price_type bundle_sku_type bundle_price_view bundle_weight_type bundle_values bundle_shipment_type
         associated_skus configurable_variations configurable_variation_labels downloadable_links downloadable_samples
         giftcard_type giftcard_amount`,
      ],
    ] as const
  ).flatMap(([why, columns]) => words(columns).map((column) => [column, why] as const)),
);

/** Columns of what a product is made of: without it the product could not be sold. */
export const partColumns = ['configurable_variations', 'bundle_values', 'associated_skus', 'downloadable_links'];

export const noSource = 'say where the goods lie (--source), or use import stock';

/** Why nothing is made of a column of the platform; undefined: something may be. */
export const whyLeftOut = (column: string, source: string | undefined): string | undefined =>
  column === 'qty' && source === undefined ? noSource : leftOut.get(column);

/**
 * The names by which our code knows the columns of a file. Refused with 400: two columns of one meaning.
 *
 * @returns by column
 */
export function meaningOf(columns: readonly string[]): Map<string, string> {
  const meaning = new Map(columns.map((column) => [column, platformNames[column] ?? column]));
  for (const [column, name] of meaning)
    if (column !== name && columns.includes(name))
      throw invalid('The columns "%1" and "%2" mean the same.', [name, column]);
  return meaning;
}
