import { z } from 'zod';
import {
  searchCategoryAttributes,
  type CategoryAttributeRow,
} from '../../../db/platform/categories/search-category-attributes.ts';
import { notFound } from '../../../domain/errors.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type Surroundings } from '../../http/route.ts';
import { everything } from '../../wire/search-criteria.ts';
import { categoryDoor } from './category-words.ts';

const option = z.object({ label: z.string(), value: z.string() });

const attributeAnswer = z.object({
  attribute_id: z.int(),
  attribute_code: z.string(),
  frontend_input: z.string(),
  entity_type_id: z.string(),
  is_required: z.boolean(),
  options: z.array(option),
  is_user_defined: z.boolean(),
  default_frontend_label: z.string(),
  backend_type: z.string(),
  is_unique: z.string(),
});

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

const unknownAttribute = {
  status: 404,
  message: 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.',
  when: 'A category has no such attribute.',
};

async function find({ em }: Pick<Surroundings, 'em'>, code: string): Promise<CategoryAttributeRow> {
  const { rows } = await searchCategoryAttributes(em, {
    ...everything,
    groups: [[{ field: 'attribute_code', value: code, condition: 'eq' }]],
  });
  const [row] = rows;
  if (!row) throw notFound(unknownAttribute.message, [code]);
  return row;
}

/** What can be said of a category (platform facts 3, 9.1). */
export const listCategoryAttributes = listRoute({
  ...categoryDoor,
  path: '/V1/categories/attributes',
  name: 'listAttributesOfCategories',
  summary: 'Search the attributes of categories',
  description: 'Those the platform has from the start.',
  outcomes: [
    { status: 400, message: 'Invalid attribute name: %1', when: 'A filter names a field that cannot be searched.' },
  ],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: { items: [example], search_criteria: { filter_groups: [] }, total_count: 1 },
    },
  ],
  answer: attributeAnswer,
  find: searchCategoryAttributes,
  render,
});

/** One attribute of categories (platform facts 9.1). Refused with: 404 unknown code. */
export const getCategoryAttribute = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories/attributes/:attributeCode',
  name: 'getAttributeOfCategories',
  summary: 'Read an attribute of categories',
  description: 'How it is entered and kept.',
  outcomes: [unknownAttribute],
  examples: [{ title: 'The URL key', params: { attributeCode: 'url_key' }, response: example }],
  params: z.object({ attributeCode: z.string() }),
  response: attributeAnswer,
  handle: async (around) => render(await find(around, around.params.attributeCode)),
});

/** What can be chosen of one (platform facts 9.1). Refused with: 404 unknown code. */
export const listCategoryAttributeOptions = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories/attributes/:attributeCode/options',
  name: 'listOptionsOfCategoryAttribute',
  summary: 'List the options of an attribute of categories',
  description: 'Empty where anything may be entered.',
  outcomes: [unknownAttribute],
  examples: [{ title: 'Yes or no', params: { attributeCode: 'is_active' }, response: yesOrNo }],
  params: z.object({ attributeCode: z.string() }),
  response: z.array(option),
  handle: async (around) => optionsOf((await find(around, around.params.attributeCode)).attribute_code),
});
