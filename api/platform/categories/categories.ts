import { z } from 'zod';
import {
  type CategoryInput,
  changeCategory,
  createCategory,
  deleteCategory,
  moveCategory,
} from '../../../db/platform/categories/categories.ts';
import {
  type CategoryRow,
  findCategory,
  findTree,
  searchCategories,
  type TreeRow,
} from '../../../db/platform/categories/read-categories.ts';
import { noSuchEntity } from '../../../domain/errors.ts';
import {
  categoryIntoItsChild,
  categoryNotDeletable,
  categoryNotMoved,
  categoryNotSaved,
} from '../../../domain/refusals/catalog.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { done, route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { derived, fieldsOf, flag, moment, named, text } from '../../wire/fields.ts';
import {
  idParam,
  integer,
  integerBetween,
  listAnswer,
  payload,
  recordId,
  text as sentText,
} from '../../wire/schemas.ts';
import { listOfOne, renderList, searchCriteria } from '../../wire/criteria.ts';

/** What all routes of categories have in common. */
export const categoryAccess = { acl: 'Platform_Catalog::categories' } as const;

export const unknownCategory: Outcome = unknownEntity('There is no category of this id.');

const most = 200;
/** The highest position that a caller may send. */
const mostSiblings = 1_000_000;

/** What a view says in its own words. */
type Words = CategoryRow['view_words'][number] | undefined;

/** A category with the texts of a view; what a read answered may be sent back (platform facts 9.1). */
const fields = fieldsOf(
  {
    id: named(
      'categoryId',
      derived((row: CategoryRow) => row.entity_id, { sent: idParam, answer: z.int() }),
    ),
    parent_id: { sent: idParam, answer: z.int() },
    name: derived((row: CategoryRow, view: Words) => view?.name ?? row.name, text()),
    is_active: derived((row: CategoryRow, view: Words) => view?.isActive ?? row.is_active, flag()),
    position: { sent: integerBetween(0, mostSiblings), answer: z.int() },
    level: z.int(),
    children: z.string().meta({ description: 'Ids of its children in their order, joined by commas.' }),
    created_at: moment(),
    updated_at: moment(),
    path: z.string(),
    available_sort_by: { sent: z.array(sentText(64)).max(most), answer: z.array(z.string()) },
    include_in_menu: derived((row: CategoryRow, view: Words) => view?.includeInMenu ?? row.include_in_menu, flag()),
    custom_attributes: {
      ...derived(
        (row: CategoryRow, view: Words) => listed(row.custom_attributes, view?.customAttributes),
        z.array(z.object({ attribute_code: z.string(), value: z.unknown() })),
      ),
      sent: z
        .array(payload({ attributeCode: sentText(60), value: z.unknown() }))
        .max(most)
        .transform((sent) =>
          Object.fromEntries(sent.map(({ attributeCode, value }) => [attributeCode, value ?? null])),
        ),
    },
    extension_attributes: {},
  },
  'Category',
);

const { sent: categoryPayload, answer: categoryAnswer } = fields;
type CategoryAnswer = z.input<typeof categoryAnswer>;

const renderCategory = (row: CategoryRow, storeId: number) => fields.render(row, row.view_words[storeId]);

/** A text that the view has as null is left out. */
function listed(attributes: Record<string, unknown>, own: Record<string, unknown> | undefined) {
  const all = own === undefined ? attributes : { ...attributes, ...own };
  const answer: CategoryAnswer['custom_attributes'] = [];
  for (const attribute_code in all) {
    const value = all[attribute_code];
    if (value !== null) answer.push({ attribute_code, value });
  }
  return answer;
}

const exampleCategory: CategoryAnswer = {
  ...{ id: 3, parent_id: 2, name: 'Tableware', is_active: true, position: 1, level: 2, children: '' },
  ...{ created_at: '2026-11-23 09:30:00', updated_at: '2026-11-23 09:30:00', path: '1/2/3' },
  ...{ available_sort_by: [], include_in_menu: true },
  custom_attributes: [{ attribute_code: 'url_key', value: 'tableware' }],
};

/** Translates the request into the catalog's terms. */
function toCategoryInput(sent: z.output<typeof categoryPayload>): CategoryInput {
  const { categoryId: _id, parentId: _parent, ...wish } = fields.draft(sent);
  return wish;
}

/** A category with the texts of the path's store view (platform facts 9.1). Refused with: 404 unknown id. */
const getCategory = route({
  ...categoryAccess,
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
const listCategories = route({
  ...categoryAccess,
  method: 'GET',
  path: '/V1/categories/list',
  name: 'listCategories',
  summary: 'Search categories',
  description: 'By name, parent, path, level and the like.',
  outcomes: [attributeNameNotValid],
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
const getCategoryTree = route({
  ...categoryAccess,
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
  query: z.object({ rootCategoryId: recordId.default(1), depth: integer.default(deepest) }),
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

/** The root category of the default store group. */
const defaultParent = 2;

const exampleBody = { category: { parent_id: 2, name: 'Tableware', is_active: true } };

/**
 * Adds a category after its siblings, unless a position is sent. With an `id` it changes that category (platform facts
 * 9.1).
 *
 * Refused with: 404 unknown parent · 400 no name, a sibling with the same URL key.
 */
const createCategoryRoute = route({
  ...categoryAccess,
  method: 'POST',
  path: '/V1/categories',
  name: 'createCategory',
  summary: 'Add a category',
  description:
    'Without a parent below the category 2. Its URL key is made of its name; a repeat is refused because the key ' +
    'is taken.',
  outcomes: [unknownCategory, categoryNotSaved],
  examples: [{ title: 'Tableware', body: exampleBody, response: exampleCategory }],
  body: z.object({ category: categoryPayload }),
  response: categoryAnswer,

  async handle({ em, body: { category }, store }) {
    const { storeId } = store;
    const request = toCategoryInput(category);
    if (category.id !== undefined) await changeCategory(em, { categoryId: category.id, storeId, wish: request });
    const parentId = category.parent_id ?? defaultParent;
    const id = category.id ?? (await createCategory(em, { parentId, wish: request }));
    return renderCategory(await findCategory(em, id), storeId);
  },
});

/**
 * Changes the sent fields of a category in the path's store view. `/rest/all` changes the global values, for views
 * without their own (platform facts 4.1, 9.1). A repeat changes nothing.
 *
 * Refused with: 404 unknown id · 400 a blank name, a sibling with the same URL key.
 */
const updateCategory = route({
  ...categoryAccess,
  method: 'PUT',
  path: '/V1/categories/:id',
  name: 'updateCategory',
  summary: 'Change a category',
  description: `Name, \`is_active\`, \`include_in_menu\` and attributes in the store view of the path. Its parent is
    changed by \`move\`.`,
  outcomes: [unknownCategory, categoryNotSaved],
  examples: [{ title: 'Renamed', params: { id: 3 }, body: exampleBody, response: exampleCategory }],
  params: z.object({ id: idParam }),
  body: z.object({ category: categoryPayload }),
  response: categoryAnswer,

  async handle({ em, params: { id }, body: { category }, store }) {
    await changeCategory(em, { categoryId: id, storeId: store.storeId, wish: toCategoryInput(category) });
    return renderCategory(await findCategory(em, id), store.storeId);
  },
});

/**
 * Moves a category with all below it (platform facts 9.1). Refused with: 404 unknown ids · 400 below itself, the root.
 */
const moveCategoryRoute = route({
  ...categoryAccess,
  method: 'PUT',
  path: '/V1/categories/:categoryId/move',
  name: 'moveCategory',
  summary: 'Move a category',
  description: 'Below `parentId`, after the sibling `afterId`, without one to the front. All below it moves along.',
  outcomes: [unknownCategory, categoryIntoItsChild, categoryNotMoved],
  examples: [{ title: 'To the front', params: { categoryId: 3 }, body: { parentId: 2 }, response: true }],
  params: z.object({ categoryId: idParam }),
  body: z.object({ parentId: idParam, afterId: idParam.optional() }),
  response: z.literal(true),

  handle: ({ em, params: { categoryId }, body: { parentId, afterId } }) =>
    done(moveCategory(em, { categoryId, parentId, afterId })),
});

/**
 * Deletes a category with all below it; their products stay (platform facts 9.1). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 400 the root, a category that a store group uses.
 */
const deleteCategoryRoute = route({
  ...categoryAccess,
  method: 'DELETE',
  path: '/V1/categories/:categoryId',
  name: 'deleteCategory',
  summary: 'Delete a category',
  description: 'With all below it. Their products stay and are no longer in them.',
  outcomes: [unknownCategory, categoryNotDeletable],
  examples: [{ title: 'Deleted', params: { categoryId: 3 }, response: true }],
  params: z.object({ categoryId: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { categoryId } }) => done(deleteCategory(em, categoryId)),
});

/** The categories of the catalog (platform facts 9.1, 12.2). */
export const categoryRoutes: readonly AnyRoute[] = [
  getCategoryTree,
  listCategories,
  getCategory,
  createCategoryRoute,
  updateCategory,
  moveCategoryRoute,
  deleteCategoryRoute,
];
