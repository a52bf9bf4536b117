import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultSet } from '../../../domain/platform/catalog/attribute-sets.ts';
import { transact } from '../../support/transact.ts';
import { copySet, hasSameName } from './attribute-set-rows.ts';
import { AttributeSet } from './attribute-set.entity.ts';
import { lockAttributeSet } from './lock-attribute-set.ts';

export const setIsNameless = 'The attribute set name is empty. Enter the name and try again.';
export const setIsNotSaved = "The attribute set couldn't be saved.";

/** Already with the name: the platform does not send it as a parameter. */
export const nameIsTaken = (name: string) =>
  `A "${name}" attribute set name already exists. Create a new name and try again.`;

interface SetDraft {
  name?: string | undefined;
  sortOrder?: number | undefined;
}

/**
 * Creates a set with the groups and the attributes of another (platform facts 9.1). A repeat is refused, because its
 * name is taken; of eight concurrent ones, one is carried out.
 *
 * Refused with: what `unknown` says for the other set · 400 no name, or one that a set has in any case of letters.
 *
 * @returns its id
 */
export const createAttributeSet = (
  em: EntityManager,
  { skeletonId, name: sent = '', sortOrder = 0 }: SetDraft & { skeletonId: number },
  unknown: () => Error,
): Promise<number> =>
  transact(em, async (tx) => {
    const name = sent.trim();
    await lockAttributeSet(tx, skeletonId, unknown);
    if (!name) throw invalid(setIsNameless);
    if (await isTaken(tx, name, 0)) throw invalid(nameIsTaken(name));
    const made = await copySet(tx, { skeletonId, name, sortOrder });
    if (made === undefined) throw invalid(nameIsTaken(name));
    return made;
  });

/**
 * Changes the name and the place of a set. A repeat changes nothing. Refused with: 404 unknown · 400 the set of other
 * records, or a name that is empty or that another set has.
 */
export const changeAttributeSet = (em: EntityManager, id: number, { name, sortOrder }: SetDraft): Promise<void> =>
  transact(em, async (tx) => {
    const set = await lockAttributeSet(tx, id);
    set.sortOrder = sortOrder ?? set.sortOrder;
    if (name !== undefined) {
      if (!name.trim() || (await isTaken(tx, name.trim(), id))) throw invalid(setIsNotSaved);
      set.attributeSetName = name.trim();
    }
    await tx.flush();
  });

/**
 * Names that differ in case alone are one name. They are taken one after another: the default set, which is always
 * there, is locked last of all.
 */
async function isTaken(tx: EntityManager, name: string, butOf: number): Promise<boolean> {
  await tx.findOneOrFail(AttributeSet, { attributeSetId: defaultSet }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return hasSameName(tx, { name, butOf });
}
