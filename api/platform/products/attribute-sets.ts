import { z } from 'zod';
import { searchAttributeSets, type AttributeSetFound } from '../../../db/platform/catalog/search-attribute-sets.ts';
import { searchProductAttributes } from '../../../db/platform/catalog/search-product-attributes.ts';
import { noSuchEntity } from '../../../domain/errors.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type Outcome, type RouteContext } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { everything, listOfOne, unknownField } from '../../wire/search-criteria.ts';
import { exampleAttribute, productAttributeAnswer, renderProductAttribute } from './attribute-answer.ts';
import { unknownEntity } from '../../wire/outcomes.ts';

const setDoor = { acl: 'Platform_Catalog::sets' } as const;

const setAnswer = z
  .object({
    attribute_set_id: z.int(),
    attribute_set_name: z.string(),
    sort_order: z.int(),
    entity_type_id: z.int(),
  })
  .meta({ id: 'AttributeSet' });

const renderSet = (row: AttributeSetFound): z.input<typeof setAnswer> => ({
  attribute_set_id: row.attribute_set_id,
  attribute_set_name: row.attribute_set_name,
  sort_order: row.sort_order,
  entity_type_id: 4,
});
const example = renderSet({ attribute_set_id: 4, attribute_set_name: 'Default', sort_order: 0 });

const unknownSet: Outcome = unknownEntity('There is no set of this id.');

async function find({ em }: Pick<RouteContext, 'em'>, id: number): Promise<AttributeSetFound> {
  const groups = [[{ field: 'attribute_set_id', value: String(id), condition: 'eq' as const }]];
  const { rows } = await searchAttributeSets(em, { ...everything, groups });
  const [row] = rows;
  if (!row) throw noSuchEntity('id', id);
  return row;
}

/** The attribute sets that products have (platform facts 3, 9.1). */
export const listAttributeSets = listRoute({
  ...setDoor,
  path: '/V1/products/attribute-sets/sets/list',
  name: 'listAttributeSets',
  summary: 'Search the attribute sets of products',
  description: 'The default one, and every other that a product names.',
  outcomes: [unknownField],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: listOfOne(example),
    },
  ],
  answer: setAnswer,
  find: searchAttributeSets,
  render: renderSet,
});

/** One set (platform facts 9.1). Refused with: 404 unknown id. */
export const getAttributeSet = route({
  ...setDoor,
  method: 'GET',
  path: '/V1/products/attribute-sets/:attributeSetId',
  name: 'getAttributeSet',
  summary: 'Read an attribute set of products',
  description: 'Its name.',
  outcomes: [unknownSet],
  examples: [{ title: 'The default one', params: { attributeSetId: 4 }, response: example }],
  params: z.object({ attributeSetId: idParam }),
  response: setAnswer,
  handle: async ({ em, params }) => renderSet(await find({ em }, params.attributeSetId)),
});

/** The attributes of a set: any product may have any of them (our choice). Refused with: 404 unknown id. */
export const listAttributesOfSet = route({
  ...setDoor,
  method: 'GET',
  path: '/V1/products/attribute-sets/:attributeSetId/attributes',
  name: 'listAttributesOfSet',
  summary: 'List the attributes of a set',
  description: 'All there are: each product may have each of them.',
  outcomes: [unknownSet],
  examples: [{ title: 'Of the default one', params: { attributeSetId: 4 }, response: [exampleAttribute] }],
  params: z.object({ attributeSetId: idParam }),
  response: z.array(productAttributeAnswer),

  async handle({ em, store, params }) {
    await find({ em }, params.attributeSetId);
    const { rows } = await searchProductAttributes(em, everything);
    return rows.map((row) => renderProductAttribute(row, store.storeId));
  },
});
