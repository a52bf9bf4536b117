import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { given } from '../../support/given.ts';
import { integer } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { Category, type CategoryWords } from './category.entity.ts';
import { deepestLevel, lockTree } from './lock-tree.ts';
import { noSuchCategory } from './read-categories.ts';
import { isKeyTaken, urlKeyOf } from './url-key.ts';

type Optional<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined };

/** The fields of a category that are sent; in `customAttributes` null removes one. */
export type CategoryWish = Optional<CategoryWords> & {
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
  { parentId, wish }: { parentId: number; wish: CategoryWish },
): Promise<number> =>
  transact(em, async (tx) => {
    const { name, customAttributes, ...fields } = given(wish);
    if (!name?.trim()) throw nameless();
    await lockTree(tx);
    const parent = await tx.findOne(Category, { entityId: parentId });
    if (!parent) throw noSuchCategory(parentId);
    if (parent.level >= deepestLevel) throw notSaved('It would be too deep.');
    const place = await readPlace.first(tx, { parentId });
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
  { categoryId, storeId, wish }: { categoryId: number; storeId: number; wish: CategoryWish },
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
    tx.assign(category, given({ position, availableSortBy }));
    const said: CategoryWords = given(words);
    if (storeId === 0) {
      tx.assign(category, said);
      category.customAttributes = laidOver(category.customAttributes ?? {}, customAttributes);
    } else {
      const before = category.viewWords?.[storeId] ?? {};
      const attributes = { ...before.customAttributes, ...customAttributes };
      category.viewWords = {
        ...category.viewWords,
        [storeId]: { ...before, ...said, ...(customAttributes ? { customAttributes: attributes } : {}) },
      };
    }
    await tx.flush();
  });

const laidOver = (attributes: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries({ ...attributes, ...more }).filter(([, value]) => value !== null));

async function refuseTakenKey(tx: EntityManager, given: Parameters<typeof isKeyTaken>[1]): Promise<void> {
  if (await isKeyTaken(tx, given)) throw notSaved('URL key for specified store already exists.');
}

const notSaved = (why: string) => invalid('Could not save category: %1', [why]);
const nameless = () => notSaved('The "Name" attribute is required. Enter and try again.');

const readPlace = statement({
  takes: { parentId: integer },
  gives: { id: integer, position: integer },
  text: `select nextval(pg_get_serial_sequence('category', 'entity_id'))::int as id,
      (coalesce(max(position), 0) + 1)::int as position
    from category where parent_id = $parentId`,
});
