import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultSet } from '../../../domain/platform/catalog/attribute-sets.ts';
import { flag, integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
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
    const made = await add.first(tx, { name, sortOrder });
    if (!made) throw invalid(nameIsTaken(name));
    await copyGroups.run(tx, { from: skeletonId, to: made.id });
    await copyAttributes.run(tx, { from: skeletonId, to: made.id });
    return made.id;
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
  const found = await sameName.first(tx, { name, butOf });
  return found?.isSaid ?? false;
}

const sameName = statement({
  takes: { name: text, butOf: integer },
  gives: { isSaid: flag },
  text: `
    select exists (select from attribute_set
      where lower(attribute_set_name) = lower($name) and attribute_set_id <> $butOf) as is_said`,
});

const add = statement({
  takes: { name: text, sortOrder: integer },
  gives: { id: integer },
  text: `
    insert into attribute_set (attribute_set_name, sort_order) values ($name, $sortOrder)
    on conflict (attribute_set_name) do nothing returning attribute_set_id as id`,
});

const copyGroups = statement({
  takes: { from: integer, to: integer },
  text: `
    insert into attribute_group (attribute_set_id, attribute_group_name, attribute_group_code, sort_order)
    select $to, attribute_group_name, attribute_group_code, sort_order from attribute_group
    where attribute_set_id = $from order by attribute_group_id`,
});

const copyAttributes = statement({
  takes: { from: integer, to: integer },
  text: `
    insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code, sort_order)
    select $to, made.attribute_group_id, a.attribute_code, a.sort_order
    from attribute_in_set a
    join attribute_group known on known.attribute_group_id = a.attribute_group_id
    join attribute_group made
      on made.attribute_set_id = $to and made.attribute_group_code = known.attribute_group_code
    where a.attribute_set_id = $from order by a.entity_attribute_id`,
});
