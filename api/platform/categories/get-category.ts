import { z } from 'zod';
import {
  findCategory,
  findTree,
  searchCategories,
  type TreeRow,
} from '../../../db/platform/categories/read-categories.ts';
import { noSuchEntity } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { idParam, integer, listAnswer } from '../../wire/schemas.ts';
import { listOfOne, renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';
import { categoryAnswer, exampleCategory, renderCategory } from './category-answer.ts';
import { categoryDoor, unknownCategory } from './category-words.ts';

/** A category with the texts of the path's store view (platform facts 9.1). Refused with: 404 unknown id. */
export const getCategory = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories/:categoryId',
  name: 'getCategory',
  summary: 'Read a category',
  description: 'In the words of the store view of the path.',
  outcomes: [unknownCategory],
  examples: [{ title: 'Tableware', params: { categoryId: 3 }, response: exampleCategory }],
  params: z.object({ categoryId: idParam }),
  response: categoryAnswer,
  handle: async ({ em, params, store }) => renderCategory(await findCategory(em, params.categoryId), store.storeId),
});

/** Searches categories by `searchCriteria`, with the texts of the path's store view (platform facts 3, 9.1). */
export const listCategories = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories/list',
  name: 'listCategories',
  summary: 'Search categories',
  description: 'By name, parent, path, level and the like.',
  outcomes: [unknownField],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: listOfOne(exampleCategory),
    },
  ],
  query: z.object({ searchCriteria }),
  response: listAnswer(categoryAnswer),

  async handle({ em, query: { searchCriteria: criteria }, store }) {
    const { rows, totalCount } = await searchCategories(em, criteria);
    return renderList(
      criteria,
      rows.map((row) => renderCategory(row, store.storeId)),
      totalCount,
    );
  },
});

interface Tree {
  id: number;
  parent_id: number;
  name: string;
  is_active: boolean;
  position: number;
  level: number;
  product_count: number;
  children_data: Tree[];
}

const treeAnswer: z.ZodType<Tree, Tree> = z
  .object({
    ...{ id: z.int(), parent_id: z.int(), name: z.string(), is_active: z.boolean(), position: z.int() },
    ...{ level: z.int(), product_count: z.int() },
    get children_data() {
      return z.array(treeAnswer);
    },
  })
  .meta({ id: 'CategoryTree' });

/** More levels than a shop has in practice. */
const deepest = 1_000;

/**
 * The tree of categories below a root, with the number of products of each (platform facts 9.1). Refused with: 404
 * unknown root.
 */
export const getCategoryTree = route({
  ...categoryDoor,
  method: 'GET',
  path: '/V1/categories',
  name: 'getCategoryTree',
  summary: 'Read the tree of categories',
  description: 'Below `rootCategoryId`, or of all; `depth` levels deep, 0 being the root alone.',
  outcomes: [unknownCategory],
  examples: [
    {
      title: 'One level',
      query: 'rootCategoryId=3&depth=0',
      response: {
        ...{ id: 3, parent_id: 2, name: 'Tableware', is_active: true, position: 1, level: 2 },
        ...{ product_count: 24, children_data: [] },
      },
    },
  ],
  query: z.object({ rootCategoryId: integer.default(1), depth: integer.default(deepest) }),
  response: treeAnswer,

  async handle({ em, query: { rootCategoryId, depth }, store }) {
    const [root, ...below] = await findTree(em, {
      rootId: rootCategoryId,
      depth: Math.min(Math.max(depth, 0), deepest),
    });
    if (!root) throw noSuchEntity('id', rootCategoryId);
    const byParent = Map.groupBy(below, ({ parentId }) => parentId);
    const render = (row: TreeRow): Tree => ({
      ...{ id: row.entityId, parent_id: row.parentId, name: row.viewWords[store.storeId]?.name ?? row.name },
      is_active: row.viewWords[store.storeId]?.isActive ?? row.isActive,
      ...{ position: row.position, level: row.level, product_count: row.productCount },
      children_data: (byParent.get(row.entityId) ?? []).map(render),
    });
    return render(root);
  },
});
