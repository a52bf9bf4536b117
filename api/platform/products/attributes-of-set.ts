import { z } from 'zod';
import {
  attributeIsOfSystem,
  optionExists,
  optionIsNameless,
  takesOptions,
} from '../../../db/platform/catalog/attribute-options.ts';
import { codeIsReserved } from '../../../db/platform/catalog/attribute-sets.ts';
import {
  assignToSet,
  groupOfOther,
  isNotInSet,
  noSetToAssign,
  noSetToLeave,
  removeFromSet,
} from '../../../db/platform/catalog/attributes-of-set.ts';
import { readProductTaxClasses } from '../../../db/platform/catalog/read-attributes-of-set.ts';
import { readAttributesOfSet, readPicturesOfSet } from '../../../db/platform/catalog/read-attribute-sets.ts';
import type { ProductAttributeFound } from '../../../db/platform/catalog/read-product-attributes.ts';
import { labelIn, usualSettings } from '../../../domain/platform/catalog/product-attributes.ts';
import {
  attributeGroupNotFound,
  optionOfAttributeMissing,
  attributeCodeNotFound,
} from '../../../domain/refusals/catalog.ts';
import { alreadyExists } from '../../../domain/refusals/platform.ts';
import { done, route, type AnyRoute, type Outcome, type RouteContext } from '../../http/route.ts';
import { attributeOption } from '../../wire/attribute-words.ts';
import { invalidField, requiredField } from '../../wire/outcomes.ts';
import { always, derived, fieldsOf, flag, integer, perhaps, text } from '../../wire/fields.ts';
import {
  flag as sentFlag,
  growing,
  idParam,
  integer as sentInteger,
  recordId,
  text as sentText,
} from '../../wire/schemas.ts';
import { ofSet, setAccess, setOfOthers, unknownSet } from './attribute-sets.ts';

type Option = z.input<typeof attributeOption>;

/** More options than any attribute has; more are sent one by one. */
const mostOptions = 1_000;
/** More store views than any shop has. */
const mostViews = 1_000;
const mostTypes = 100;

const storeLabels = z.array(growing({ storeId: recordId, label: sentText(255).default('') })).max(mostViews);

/** An option of an attribute, as it is sent. */
export const optionPayload = growing({
  label: sentText(255).optional(),
  value: sentText(255).optional(),
  sortOrder: sentInteger.optional(),
  isDefault: sentFlag.optional(),
  storeLabels: storeLabels.optional(),
});

const digit = (isSo: boolean) => (isSo ? '1' : '0');
/** A flag that the platform answers as text. */
const digits = { sent: sentFlag, answer: z.string(), show: digit };

/** An attribute; what a read answered may be sent back. Only the server knows its id and its column. */
const attribute = fieldsOf(
  {
    attribute_id: z.int(),
    attribute_code: text(),
    frontend_input: text(50),
    entity_type_id: always('4', z.string()),
    is_required: flag(),
    frontend_labels: {
      ...derived(
        ({ store_labels: labels }: ProductAttributeFound) =>
          labels.map(({ storeId, label }) => ({ store_id: storeId, label })),
        z.array(z.object({ store_id: z.int(), label: z.string() })),
      ),
      sent: storeLabels,
    },
    options: {
      ...derived((_: ProductAttributeFound, options: Option[]) => options, z.array(attributeOption)),
      sent: z.array(optionPayload).max(mostOptions),
    },
    is_user_defined: z.boolean(),
    default_frontend_label: derived(({ label }: ProductAttributeFound) => label, text()),
    backend_type: z.string(),
    is_unique: digits,
    default_value: perhaps(text(4_000)),
    note: perhaps(text()),
    frontend_class: perhaps(text()),
    validation_rules: perhaps({ sent: z.array(z.unknown()).max(mostTypes), answer: z.array(z.unknown()) }),
    scope: { sent: z.enum(['global', 'website', 'store']), answer: z.string() },
    apply_to: { sent: z.array(sentText(32)).max(mostTypes), answer: z.array(z.string()) },
    is_searchable: digits,
    is_visible_in_advanced_search: digits,
    is_comparable: digits,
    is_used_for_promo_rules: digits,
    is_visible_on_front: digits,
    used_in_product_listing: digits,
    is_visible: flag(),
    is_filterable: flag(),
    is_filterable_in_search: flag(),
    is_used_in_grid: perhaps(flag()),
    is_visible_in_grid: perhaps(flag()),
    is_filterable_in_grid: perhaps(flag()),
    used_for_sort_by: flag(),
    is_wysiwyg_enabled: flag(),
    is_html_allowed_on_front: flag(),
    position: integer(),
  },
  { answer: 'ProductAttribute' },
  growing,
);

export const { sent: attributePayload, answer: productAttributeAnswer } = attribute;

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

/** Settings that an answer leaves out where nobody has set them. */
const unset = {
  ...{ default_value: undefined, note: undefined, frontend_class: undefined, validation_rules: undefined },
  ...{ is_used_in_grid: undefined, is_visible_in_grid: undefined, is_filterable_in_grid: undefined },
};

/** An attribute with the option labels of a store view; its own labels are all answered. */
export const renderProductAttribute = (
  row: ProductAttributeFound,
  storeId = 0,
  options: Option[] = optionsIn(row, storeId),
): z.input<typeof productAttributeAnswer> =>
  attribute.render({ ...unset, ...usualSettings, ...row.settings, ...row }, options);

const blank = { is_required: false, is_unique: false, store_labels: [], settings: {}, options: [] };

export const exampleAttribute = renderProductAttribute({
  ...{ attribute_id: 25, attribute_code: 'visibility', label: 'Visibility', frontend_input: 'select' },
  ...{ backend_type: 'int', scope: 'store', is_user_defined: false, ...blank },
});

const examplePicture = renderProductAttribute({
  ...{ attribute_id: 15, attribute_code: 'image', label: 'Base', frontend_input: 'media_image' },
  ...{ backend_type: 'varchar', scope: 'store', is_user_defined: false, ...blank },
});

export const exampleOwnAttribute = renderProductAttribute({
  ...{ attribute_id: 1_007, attribute_code: 'fabric', label: 'Fabric', frontend_input: 'select' },
  ...{ backend_type: 'int', scope: 'global', is_user_defined: true, ...blank },
  options: [{ optionId: 5, label: 'Linen', storeLabels: [] }],
});

/** Texts that the routes of product attributes share. */

export const attributeAccess = { acl: 'Platform_Catalog::attributes_attributes' } as const;

export const unknown = attributeCodeNotFound.because('Neither the platform nor the shop has such an attribute.');

export const ofAttribute = z.object({ attributeCode: z.string() });

export const namelessOption: Outcome = { status: 400, message: optionIsNameless, when: 'An option has no label.' };

export const sameOption: Outcome = {
  status: 400,
  message: optionExists,
  when: 'Another option of the attribute has the label, in any case of letters.',
};

export const unknownOptionId: Outcome = optionOfAttributeMissing.because('The attribute has no option of this id.');

export const wrongValue: Outcome = invalidField(
  'The code has another form, the input is not one of the types, no product could have the default, or a label ' +
    'is for an unknown store view.',
);

export const refusedCodes: readonly Outcome[] = [
  requiredField('There is no label.'),
  { status: 400, message: codeIsReserved, when: 'The code means something else in a product.' },
  alreadyExists.because('The shop or the platform has an attribute of this code.'),
];

/** The attributes of a set (platform facts 9.1). Refused with: 404 unknown id, or the set of other records. */
const listAttributesOfSet = route({
  ...setAccess,
  method: 'GET',
  path: '/V1/products/attribute-sets/:attributeSetId/attributes',
  name: 'listAttributesOfSet',
  summary: 'List the attributes of a set',
  description: `Group by group, in their order. A product may have a value of another attribute too; the set says which
are asked for.`,
  outcomes: [unknownSet],
  examples: [{ title: 'Of the default one', params: { attributeSetId: 4 }, response: [exampleAttribute] }],
  params: ofSet,
  response: z.array(productAttributeAnswer),

  handle: async ({ em, store, params: { attributeSetId } }) =>
    (await readAttributesOfSet(em, attributeSetId)).map((row) => renderProductAttribute(row, store.storeId)),
});

/** The uses that a picture of a product may have, by its set's name. An unknown name is answered with none. */
const listMediaTypes = route({
  method: 'GET',
  path: '/V1/products/media/types/:attributeSetName',
  acl: 'Platform_Catalog::products',
  name: 'listMediaTypes',
  summary: 'List what pictures of products are used for',
  description: `The attributes of the set that name a picture, such as the thumbnail: their codes are the \`types\` of a
product's pictures.`,
  outcomes: [],
  examples: [{ title: 'Of the default set', params: { attributeSetName: 'Default' }, response: [examplePicture] }],
  params: z.object({ attributeSetName: z.string() }),
  response: z.array(productAttributeAnswer),

  handle: async ({ em, store, params: { attributeSetName } }) =>
    (await readPicturesOfSet(em, attributeSetName)).map((row) => renderProductAttribute(row, store.storeId)),
});

/** Puts an attribute into a set. Refused as `assignToSet`. A repeat changes nothing. */
const assignAttribute = route({
  ...setAccess,
  method: 'POST',
  path: '/V1/products/attribute-sets/attributes',
  name: 'assignAttributeToSet',
  summary: 'Put an attribute into a set',
  description: `Into a group of the set; from another group of it, it moves. Products of the set are then asked for a
required
attribute. The answer is the id of its place in the set.`,
  outcomes: [
    { status: 404, message: noSetToAssign, when: 'There is no set of this id.' },
    attributeGroupNotFound.because('There is no group of this id.'),
    unknown,
    setOfOthers,
    { status: 400, message: groupOfOther, when: 'The group is one of another set.' },
  ],
  examples: [
    {
      title: 'The cost of goods',
      body: { attributeSetId: 4, attributeGroupId: 8, attributeCode: 'cost', sortOrder: 3 },
      response: '12',
    },
  ],
  body: z.object({
    attributeSetId: recordId,
    attributeGroupId: idParam,
    attributeCode: sentText(255),
    sortOrder: sentInteger,
  }),
  response: z.string(),
  handle: async ({ em, body }) => String(await assignToSet(em, body)),
});

/** Takes an attribute out of a set. Refused as `removeFromSet`; so is a repeat. */
const unassignAttribute = route({
  ...setAccess,
  method: 'DELETE',
  path: '/V1/products/attribute-sets/:attributeSetId/attributes/:attributeCode',
  name: 'removeAttributeFromSet',
  summary: 'Take an attribute out of a set',
  description:
    'Products keep their values. An attribute of the platform stays, but `cost`, `color` and `manufacturer`.',
  outcomes: [
    { status: 404, message: noSetToLeave, when: 'There is no set of this id.' },
    unknown,
    setOfOthers,
    { status: 400, message: isNotInSet, when: 'The set does not have the attribute.' },
    { status: 400, message: attributeIsOfSystem, when: 'Every set has the attribute.' },
  ],
  examples: [{ title: 'Without cost', params: { attributeSetId: 4, attributeCode: 'cost' }, response: true }],
  params: z.object({ attributeSetId: idParam, attributeCode: z.string() }),
  response: z.literal(true),

  handle: ({ em, params }) => done(removeFromSet(em, params)),
});

/** The attributes of the sets of products (platform facts 9.1). */
export const attributesOfSetRoutes: readonly AnyRoute[] = [
  listAttributesOfSet,
  listMediaTypes,
  assignAttribute,
  unassignAttribute,
];
