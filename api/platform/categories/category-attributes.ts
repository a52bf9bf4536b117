import { z } from 'zod';
import {
  searchCategoryAttributes,
  type CategoryAttributeRow,
} from '../../../db/platform/categories/search-category-attributes.ts';
import { notFound } from '../../../domain/errors.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import { attributeKeys, attributeOption, unknownAttribute } from '../../wire/attribute-words.ts';
import { everything, listOfOne, unknownField } from '../../wire/search-criteria.ts';
import { categoryDoor } from './categories.ts';

const attributeAnswer = z.object(attributeKeys).meta({ id: 'CategoryAttribute' });

const flags = ['is_active', 'include_in_menu', 'is_anchor'];
const yesOrNo = [
  { label: 'Yes', value: '1' },
  { label: 'No', value: '0' },
];
const optionsOf = (code: string) => (flags.includes(code) ? yesOrNo : []);

const render = (row: CategoryAttributeRow): z.input<typeof attributeAnswer> => ({
  attribute_id: row.attribute_id,
  attribute_code: row.attribute_code,
  frontend_input: row.frontend_input,
  backend_type: row.backend_type,
  is_required: row.is_required,
  default_frontend_label: row.default_frontend_label,
  entity_type_id: '3',
  is_user_defined: false,
  is_unique: '0',
  options: optionsOf(row.attribute_code),
});

const example = render({
  ...{ attribute_id: 13, attribute_code: 'url_key', frontend_input: 'text', backend_type: 'varchar' },
  ...{ is_required: false, default_frontend_label: 'URL Key' },
});

const unknown = unknownAttribute('A category has no such attribute.');

async function find({ em }: Pick<RouteContext, 'em'>, code: string): Promise<CategoryAttributeRow> {
  const { rows } = await searchCategoryAttributes(em, {
    ...everything,
    groups: [[{ field: 'attribute_code', value: code, condition: 'eq' }]],
  });
  const [row] = rows;
  if (!row) throw notFound(unknown.message, [code]);
  return row;
}

/** The attributes of categories (platform facts 3, 9.1). */
const listCategoryAttributes = listRoute({
  ...categoryDoor,
  path: '/V1/categories/attributes',
  name: 'listAttributesOfCategories',
  summary: 'Search the attributes of categories',
  description: 'Those the platform has from the start.',
  outcomes: [unknownField],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: listOfOne(example),
    },
  ],
  answer: attributeAnswer,
  find: searchCategoryAttributes,
  render,
});

/** One attribute of categories (platform facts 9.1). Refused with: 404 unknown code. */
const getCategoryAttribute = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories/attributes/:attributeCode',
  name: 'getAttributeOfCategories',
  summary: 'Read an attribute of categories',
  description: 'How it is entered and kept.',
  outcomes: [unknown],
  examples: [{ title: 'The URL key', params: { attributeCode: 'url_key' }, response: example }],
  params: z.object({ attributeCode: z.string() }),
  response: attributeAnswer,
  handle: async (around) => render(await find(around, around.params.attributeCode)),
});

/** The options of a category attribute (platform facts 9.1). Refused with: 404 unknown code. */
const listCategoryAttributeOptions = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories/attributes/:attributeCode/options',
  name: 'listOptionsOfCategoryAttribute',
  summary: 'List the options of an attribute of categories',
  description: 'Empty where anything may be entered.',
  outcomes: [unknown],
  examples: [{ title: 'Yes or no', params: { attributeCode: 'is_active' }, response: yesOrNo }],
  params: z.object({ attributeCode: z.string() }),
  response: z.array(attributeOption),
  handle: async (around) => optionsOf((await find(around, around.params.attributeCode)).attribute_code),
});

/** The attributes of categories, which nobody changes (platform facts 9.1). */
export const categoryAttributeRoutes: readonly AnyRoute[] = [
  listCategoryAttributes,
  getCategoryAttribute,
  listCategoryAttributeOptions,
];
