import { z } from 'zod';
import { readProductTaxClasses } from '../../../db/platform/catalog/read-product-tax-classes.ts';
import { takesOptions } from '../../../db/platform/catalog/lock-attribute.ts';
import type { ProductAttributeFound } from '../../../db/platform/catalog/search-product-attributes.ts';
import { labelIn, usualSettings, type AttributeSettings } from '../../../domain/platform/catalog/attribute-settings.ts';
import type { RouteContext } from '../../http/route.ts';
import { attributeKeys, attributeOption } from '../../wire/attribute-words.ts';

type Option = z.input<typeof attributeOption>;

export const productAttributeAnswer = z
  .object({
    ...attributeKeys,
    frontend_labels: z.array(z.object({ store_id: z.int(), label: z.string() })),
    default_value: z.string().optional(),
    note: z.string().optional(),
    frontend_class: z.string().optional(),
    validation_rules: z.array(z.unknown()).optional(),
    scope: z.string(),
    apply_to: z.array(z.string()),
    is_searchable: z.string(),
    is_visible_in_advanced_search: z.string(),
    is_comparable: z.string(),
    is_used_for_promo_rules: z.string(),
    is_visible_on_front: z.string(),
    used_in_product_listing: z.string(),
    is_visible: z.boolean(),
    is_filterable: z.boolean(),
    is_filterable_in_search: z.boolean(),
    is_used_in_grid: z.boolean().optional(),
    is_visible_in_grid: z.boolean().optional(),
    is_filterable_in_grid: z.boolean().optional(),
    used_for_sort_by: z.boolean(),
    is_wysiwyg_enabled: z.boolean(),
    is_html_allowed_on_front: z.boolean(),
    position: z.int(),
  })
  .meta({ id: 'ProductAttribute' });

const choices = (...labels: readonly (readonly [string, string])[]): Option[] =>
  labels.map(([value, label]) => ({ label, value }));

const fixedOptions: Readonly<Record<string, readonly Option[]>> = {
  status: choices(['1', 'Enabled'], ['2', 'Disabled']),
  visibility: choices(['1', 'Not Visible Individually'], ['2', 'Catalog'], ['3', 'Search'], ['4', 'Catalog, Search']),
  gift_message_available: choices(['1', 'Yes'], ['0', 'No']),
  quantity_and_stock_status: choices(['1', 'In Stock'], ['0', 'Out of Stock']),
};

const yesOrNo = choices(['1', 'Yes'], ['0', 'No']);

/** Stands before the options of the shop, as on the platform: nothing is chosen. */
const nothing: Option = { label: ' ', value: '' };

/** The options of an attribute that are known without the database, with the labels of a store view. */
function optionsIn({ attribute_code: code, frontend_input: input, options }: ProductAttributeFound, storeId: number) {
  if (input === 'boolean') return yesOrNo;
  if (!takesOptions({ attributeCode: code, frontendInput: input })) return [...(fixedOptions[code] ?? [])];
  if (options.length === 0) return [];
  return [nothing, ...options.map((option) => ({ label: labelIn(option, storeId), value: String(option.optionId) }))];
}

/** All options of an attribute. Of the fixed choices only the tax classes are in the database. */
export async function optionsOf(
  { reader, store }: Pick<RouteContext, 'reader' | 'store'>,
  row: ProductAttributeFound,
): Promise<Option[]> {
  if (row.attribute_code !== 'tax_class_id') return optionsIn(row, store.storeId);
  const classes = await readProductTaxClasses(reader);
  return choices(['0', 'None'], ...classes.map(({ taxClassId, name }) => [String(taxClassId), name] as const));
}

const digit = (isSo: boolean) => (isSo ? '1' : '0');

/** The settings as the platform answers them: some flags are texts. */
function renderSettings(settings: AttributeSettings) {
  const all = { ...usualSettings, ...settings };
  return {
    ...all,
    is_searchable: digit(all.is_searchable),
    is_visible_in_advanced_search: digit(all.is_visible_in_advanced_search),
    is_comparable: digit(all.is_comparable),
    is_used_for_promo_rules: digit(all.is_used_for_promo_rules),
    is_visible_on_front: digit(all.is_visible_on_front),
    used_in_product_listing: digit(all.used_in_product_listing),
  };
}

/** An attribute with the option labels of a store view; its own labels are all answered. */
export const renderProductAttribute = (
  row: ProductAttributeFound,
  storeId = 0,
  options: Option[] = optionsIn(row, storeId),
): z.input<typeof productAttributeAnswer> => ({
  attribute_id: row.attribute_id,
  attribute_code: row.attribute_code,
  frontend_input: row.frontend_input,
  entity_type_id: '4',
  is_required: row.is_required,
  options,
  is_user_defined: row.is_user_defined,
  default_frontend_label: row.label,
  frontend_labels: row.store_labels.map(({ storeId, label }) => ({ store_id: storeId, label })),
  backend_type: row.backend_type,
  is_unique: digit(row.is_unique),
  scope: row.scope,
  ...renderSettings(row.settings),
});

const blank = { is_required: false, is_unique: false, store_labels: [], settings: {}, options: [] };

export const exampleAttribute = renderProductAttribute({
  ...{ attribute_id: 25, attribute_code: 'visibility', label: 'Visibility', frontend_input: 'select' },
  ...{ backend_type: 'int', scope: 'store', is_user_defined: false, ...blank },
});

export const examplePicture = renderProductAttribute({
  ...{ attribute_id: 15, attribute_code: 'image', label: 'Base', frontend_input: 'media_image' },
  ...{ backend_type: 'varchar', scope: 'store', is_user_defined: false, ...blank },
});

export const exampleOwnAttribute = renderProductAttribute({
  ...{ attribute_id: 1_007, attribute_code: 'fabric', label: 'Fabric', frontend_input: 'select' },
  ...{ backend_type: 'int', scope: 'global', is_user_defined: true, ...blank },
  options: [{ optionId: 5, label: 'Linen', storeLabels: [] }],
});
