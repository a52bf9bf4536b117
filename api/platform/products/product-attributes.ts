import { z } from 'zod';
import {
  findProductAttribute,
  readProductTaxClasses,
  searchProductAttributes,
  type ProductAttributeFound,
} from '../../../db/platform/catalog/search-product-attributes.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import { attributeKeys, attributeOption, unknownAttribute } from '../../wire/attribute-words.ts';
import { listOfOne, unknownField } from '../../wire/search-criteria.ts';

const attributeDoor = { acl: 'Platform_Catalog::attributes_attributes' } as const;

type Option = z.input<typeof attributeOption>;

export const productAttributeAnswer = z
  .object({
    ...attributeKeys,
    frontend_labels: z.array(z.unknown()),
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

const fixedOptionsOf = (code: string): Option[] => [...(fixedOptions[code] ?? [])];

/** The options of an attribute; the shop itself decides only the tax classes. */
async function optionsOf(em: RouteContext['reader'], code: string): Promise<Option[]> {
  if (code !== 'tax_class_id') return fixedOptionsOf(code);
  const classes = await readProductTaxClasses(em);
  return choices(['0', 'None'], ...classes.map(({ taxClassId, name }) => [String(taxClassId), name] as const));
}

export const renderProductAttribute = (
  row: ProductAttributeFound,
  options: Option[] = fixedOptionsOf(row.attribute_code),
): z.input<typeof productAttributeAnswer> => ({
  attribute_id: row.attribute_id,
  attribute_code: row.attribute_code,
  frontend_input: row.frontend_input,
  entity_type_id: '4',
  is_required: row.is_required,
  options,
  is_user_defined: row.is_user_defined,
  default_frontend_label: row.label,
  frontend_labels: [],
  backend_type: row.backend_type,
  is_unique: row.attribute_code === 'sku' ? '1' : '0',
  scope: row.scope,
  ...{ apply_to: [], is_searchable: '0', is_visible_in_advanced_search: '0', is_comparable: '0' },
  // Rules can use any of them (platform facts 9.3).
  ...{ is_used_for_promo_rules: '1', is_visible_on_front: '0', used_in_product_listing: '1', is_visible: true },
  ...{ is_filterable: false, is_filterable_in_search: false, used_for_sort_by: true },
  ...{ is_wysiwyg_enabled: false, is_html_allowed_on_front: false, position: 0 },
});

export const exampleAttribute = renderProductAttribute({
  ...{ attribute_id: 25, attribute_code: 'visibility', label: 'Visibility', frontend_input: 'select' },
  ...{ backend_type: 'int', scope: 'store', is_required: false, is_user_defined: false },
});

const unknown = unknownAttribute('Neither the platform nor a product has such an attribute.');

/** The attributes of products (platform facts 3, 9.1). */
const listProductAttributes = listRoute({
  ...attributeDoor,
  path: '/V1/products/attributes',
  name: 'listAttributesOfProducts',
  summary: 'Search the attributes of products',
  description: `Those the platform has from the start, and every one that came with a product. \`scope\` is \`global\`, \`website\` or
\`store\`: a value that is saved by a store view's path holds so far.`,
  outcomes: [unknownField],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: listOfOne(exampleAttribute),
    },
  ],
  answer: productAttributeAnswer,
  find: searchProductAttributes,
  render: (row: ProductAttributeFound) => renderProductAttribute(row),
});

/** One attribute, by its code or its id (platform facts 9.1). Refused with: 404 unknown. */
const getProductAttribute = route({
  ...attributeDoor,
  method: 'GET',
  path: '/V1/products/attributes/:attributeCode',
  name: 'getAttributeOfProducts',
  summary: 'Read an attribute of products',
  description: 'By its code or its id: how it is entered, kept, and how far a value holds.',
  outcomes: [unknown],
  examples: [{ title: 'Visibility', params: { attributeCode: 'visibility' }, response: exampleAttribute }],
  params: z.object({ attributeCode: z.string() }),
  response: productAttributeAnswer,

  async handle({ reader, params }) {
    const row = await findProductAttribute(reader, params.attributeCode);
    return renderProductAttribute(row, await optionsOf(reader, row.attribute_code));
  },
});

/** The options of a product attribute (platform facts 9.1). Refused with: 404 unknown. */
const listProductAttributeOptions = route({
  ...attributeDoor,
  method: 'GET',
  path: '/V1/products/attributes/:attributeCode/options',
  name: 'listOptionsOfProductAttribute',
  summary: 'List the options of an attribute of products',
  description: 'Empty where anything may be entered.',
  outcomes: [unknown],
  examples: [{ title: 'On sale or not', params: { attributeCode: 'status' }, response: fixedOptions['status'] }],
  params: z.object({ attributeCode: z.string() }),
  response: z.array(attributeOption),

  async handle({ reader, params }) {
    const { attribute_code: code } = await findProductAttribute(reader, params.attributeCode);
    return optionsOf(reader, code);
  },
});

/** The attributes of products (platform facts 9.1). */
export const productAttributeRoutes: readonly AnyRoute[] = [
  listProductAttributes,
  getProductAttribute,
  listProductAttributeOptions,
];
