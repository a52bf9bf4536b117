import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import {
  categoryIntoItsChild,
  categoryNotDeletable,
  categoryNotMoved,
  categoryNotSaved,
} from '../../../domain/refusals/catalog.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { transact } from '../../support/transact.ts';
import { Category, type CategoryWords } from './category.entity.ts';
import {
  deepestLevel,
  drawPlace,
  isKeyTaken,
  isRootOfShop,
  levelsBelow,
  lockTree,
  placeBelow,
  removeBelow,
  noSuchCategory,
} from './read-categories.ts';

type Optional<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined };

/** The fields of a category that are sent; in `customAttributes` null removes one. */
export type CategoryInput = Optional<CategoryWords> & {
  position?: number | undefined;
  availableSortBy?: string[] | undefined;
};

/**
 * Adds a category below another, as the last sibling unless a position is given (platform facts 9.1). Its texts are
 * global.
 *
 * Refused with: 404 unknown parent · 400 no name, or a sibling with its URL key, hence also a repeat.
 *
 * @returns its id
 */
export const createCategory = (
  em: EntityManager,
  { parentId, wish }: { parentId: number; wish: CategoryInput },
): Promise<number> =>
  transact(em, async (tx) => {
    const { name, customAttributes, ...fields } = definedFields(wish);
    if (!name?.trim()) throw nameless();
    await lockTree(tx);
    const parent = await tx.findOne(Category, { entityId: parentId });
    if (!parent) throw noSuchCategory(parentId);
    if (parent.level >= deepestLevel) throw notSaved('It would be too deep.');
    const place = await drawPlace(tx, parentId);
    if (!place) throw noSuchCategory(parentId);
    const { id, position } = place;
    const attributes = laidOver({ url_key: urlKeyOf(name, id) }, customAttributes);
    await refuseTakenKey(tx, { parentId, categoryId: id, storeId: 0, urlKey: attributes['url_key'] });
    tx.create(Category, {
      ...{ position, ...fields, name, entityId: id, parentId, customAttributes: attributes },
      ...{ path: `${parent.path}/${id}`, level: parent.level + 1 },
    });
    await tx.flush();
    return id;
  });

/**
 * Changes the fields sent of a category. Texts change for the view, or globally for every view without its own
 * (platform facts 4.1). A repeat changes nothing.
 *
 * Refused with: 404 unknown id · 400 a blank name, or a URL key that a sibling has in the view.
 */
export const changeCategory = (
  em: EntityManager,
  { categoryId, storeId, wish }: { categoryId: number; storeId: number; wish: CategoryInput },
): Promise<void> =>
  transact(em, async (tx) => {
    if (wish.name !== undefined && !wish.name.trim()) throw nameless();
    const urlKey = wish.customAttributes?.['url_key'];
    if (urlKey !== undefined) await lockTree(tx);
    const category = await tx.findOne(Category, { entityId: categoryId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!category) throw noSuchCategory(categoryId);
    const known = { ...category.customAttributes, ...category.viewWords?.[storeId]?.customAttributes }['url_key'];
    if (urlKey !== known) await refuseTakenKey(tx, { parentId: category.parentId, categoryId, storeId, urlKey });
    const { position, availableSortBy, customAttributes, ...words } = wish;
    tx.assign(category, definedFields({ position, availableSortBy }));
    const present: CategoryWords = definedFields(words);
    if (storeId === 0) {
      tx.assign(category, present);
      category.customAttributes = laidOver(category.customAttributes ?? {}, customAttributes);
    } else {
      const before = category.viewWords?.[storeId] ?? {};
      const attributes = { ...before.customAttributes, ...customAttributes };
      category.viewWords = {
        ...category.viewWords,
        [storeId]: { ...before, ...present, ...(customAttributes ? { customAttributes: attributes } : {}) },
      };
    }
    await tx.flush();
  });

const laidOver = (attributes: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries({ ...attributes, ...more }).filter(([, value]) => value !== null));

async function refuseTakenKey(tx: EntityManager, input: Parameters<typeof isKeyTaken>[1]): Promise<void> {
  if (await isKeyTaken(tx, input)) throw notSaved('URL key for specified store already exists.');
}

const notSaved = (why: string) => categoryNotSaved([why]);
const nameless = () => notSaved('The "Name" attribute is required. Enter and try again.');

/** The default URL key of a category: its name in English letters and digits, or its id. */
const urlKeyOf = (name: string, categoryId: number): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || `category-${categoryId}`;

/**
 * Moves a category with all below it under another one, after a sibling there, or to the front without one (platform
 * facts 9.1). After itself it keeps its place. A repeat changes nothing.
 *
 * Refused with: 404 unknown ids · 400 under itself, the root, deeper than 20 levels, or where a sibling has its URL
 * key.
 */
export const moveCategory = (
  em: EntityManager,
  { categoryId, parentId, afterId }: { categoryId: number; parentId: number; afterId?: number | undefined },
): Promise<void> =>
  transact(em, async (tx) => {
    await lockTree(tx);
    const [category, parent] = [
      await tx.findOne(Category, { entityId: categoryId }),
      await tx.findOne(Category, { entityId: parentId }),
    ];
    if (!category) throw noSuchCategory(categoryId);
    if (!parent) throw noSuchCategory(parentId);
    if (category.level === 0 || `${parent.path}/`.startsWith(`${category.path}/`)) throw categoryIntoItsChild();
    if (parent.level + 1 + (await levelsBelow(tx, category.path)) > deepestLevel) throw categoryNotMoved();
    const isElsewhere = category.parentId !== parentId;
    if (!isElsewhere && afterId === categoryId) return;
    const urlKey = category.customAttributes?.['url_key'];
    if (isElsewhere && (await isKeyTaken(tx, { parentId, categoryId, storeId: 0, urlKey }))) throw categoryNotMoved();
    const after = afterId === undefined ? undefined : await tx.findOne(Category, { entityId: afterId, parentId });
    const position = (after?.position ?? 0) + 1;
    if (!isElsewhere && category.position === position) return;
    const { path: from, level } = category;
    const [to, deeper] = [`${parent.path}/${categoryId}`, parent.level + 1 - level];
    await placeBelow(tx, { categoryId, parentId, position, from, to, deeper });
  });

/**
 * Deletes a category with all below it; their products stay, without these categories. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 400 the root, or the root category of a shop.
 */
export const deleteCategory = (em: EntityManager, categoryId: number): Promise<void> =>
  transact(em, async (tx) => {
    await lockTree(tx);
    const category = await tx.findOne(Category, { entityId: categoryId });
    if (!category) throw noSuchCategory(categoryId);
    const isRoot = category.level === 0 || (await isRootOfShop(tx, categoryId));
    if (isRoot) throw categoryNotDeletable([categoryId]);
    await removeBelow(tx, category.path);
  });
