import { z } from 'zod';
import { deleteCategory } from '../../../db/platform/categories/delete-category.ts';
import { moveCategory } from '../../../db/platform/categories/move-category.ts';
import { findCategory } from '../../../db/platform/categories/read-categories.ts';
import { changeCategory, createCategory } from '../../../db/platform/categories/save-category.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { categoryAnswer, exampleCategory, renderCategory } from './category-answer.ts';
import { categoryPayload, toCategoryWish } from './category-payload.ts';
import { categoryDoor, unknownCategory, unsavableCategory } from './category-words.ts';

/** The root category of the default store group. */
const defaultParent = 2;

const exampleBody = { category: { parent_id: 2, name: 'Tableware', is_active: true } };

/**
 * Adds a category after its siblings, unless a position is sent. With an `id` it changes that category (platform facts
 * 9.1).
 *
 * Refused with: 404 unknown parent · 400 no name, a sibling with the same URL key.
 */
export const createCategoryRoute = route({
  ...categoryDoor,
  method: 'POST',
  path: '/V1/categories',
  name: 'createCategory',
  summary: 'Add a category',
  description:
    'Without a parent below the category 2. Its URL key is made of its name; a repeat is refused because the key is taken.',
  outcomes: [unknownCategory, unsavableCategory],
  examples: [{ title: 'Tableware', body: exampleBody, response: exampleCategory }],
  body: z.object({ category: categoryPayload }),
  response: categoryAnswer,

  async handle({ em, body: { category }, store }) {
    const { storeId } = store;
    const wish = toCategoryWish(category);
    if (category.id !== undefined) await changeCategory(em, { categoryId: category.id, storeId, wish });
    const parentId = category.parentId ?? defaultParent;
    const id = category.id ?? (await createCategory(em, { parentId, wish }));
    return renderCategory(await findCategory(em, id), storeId);
  },
});

/**
 * Changes the sent fields of a category in the path's store view. `/rest/all` changes the global values, for views
 * without their own (platform facts 4.1, 9.1). A repeat changes nothing.
 *
 * Refused with: 404 unknown id · 400 a blank name, a sibling with the same URL key.
 */
export const updateCategory = route({
  ...categoryDoor,
  method: 'PUT',
  path: '/V1/categories/:id',
  name: 'updateCategory',
  summary: 'Change a category',
  description: `Name, \`is_active\`, \`include_in_menu\` and attributes in the store view of the path. Its parent is
    changed by \`move\`.`,
  outcomes: [unknownCategory, unsavableCategory],
  examples: [{ title: 'Renamed', params: { id: 3 }, body: exampleBody, response: exampleCategory }],
  params: z.object({ id: idParam }),
  body: z.object({ category: categoryPayload }),
  response: categoryAnswer,

  async handle({ em, params: { id }, body: { category }, store }) {
    await changeCategory(em, { categoryId: id, storeId: store.storeId, wish: toCategoryWish(category) });
    return renderCategory(await findCategory(em, id), store.storeId);
  },
});

/**
 * Moves a category with all below it (platform facts 9.1). Refused with: 404 unknown ids · 400 below itself, the root.
 */
export const moveCategoryRoute = route({
  ...categoryDoor,
  method: 'PUT',
  path: '/V1/categories/:categoryId/move',
  name: 'moveCategory',
  summary: 'Move a category',
  description: 'Below `parentId`, after the sibling `afterId`, without one to the front. All below it moves along.',
  outcomes: [
    unknownCategory,
    {
      status: 400,
      message: 'Operation do not allow to move a parent category to any of children category',
      when: 'The new parent is the category itself or below it, or it is the root.',
    },
    {
      status: 400,
      message: 'Could not move category',
      when: 'The tree would be deeper than 20 levels, or a child of the new parent has its URL key.',
    },
  ],
  examples: [{ title: 'To the front', params: { categoryId: 3 }, body: { parentId: 2 }, response: true }],
  params: z.object({ categoryId: idParam }),
  body: z.object({ parentId: idParam, afterId: idParam.optional() }),
  response: z.literal(true),

  async handle({ em, params: { categoryId }, body: { parentId, afterId } }) {
    await moveCategory(em, { categoryId, parentId, afterId });
    return true as const;
  },
});

/**
 * Deletes a category with all below it; their products stay (platform facts 9.1). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 400 the root, a category that a store group uses.
 */
export const deleteCategoryRoute = route({
  ...categoryDoor,
  method: 'DELETE',
  path: '/V1/categories/:categoryId',
  name: 'deleteCategory',
  summary: 'Delete a category',
  description: 'With all below it. Their products stay and are no longer in them.',
  outcomes: [
    unknownCategory,
    { status: 400, message: 'Cannot delete category with id %1', when: 'It is the root, or what a shop shows.' },
  ],
  examples: [{ title: 'Deleted', params: { categoryId: 3 }, response: true }],
  params: z.object({ categoryId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { categoryId } }) {
    await deleteCategory(em, categoryId);
    return true as const;
  },
});
