import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** Whether another set has the name, in any case of letters. */
export const hasSameName = async (tx: EntityManager, given: { name: string; butOf: number }): Promise<boolean> =>
  (await sameName.first(tx, given))?.isSaid === true;

/** Makes a set with the groups and attributes of another; undefined: its name was taken meanwhile. */
export async function copySet(
  tx: EntityManager,
  { skeletonId, ...set }: { skeletonId: number; name: string; sortOrder: number },
): Promise<number | undefined> {
  const made = await add.first(tx, set);
  if (!made) return undefined;
  await copyGroups.run(tx, { from: skeletonId, to: made.id });
  await copyAttributes.run(tx, { from: skeletonId, to: made.id });
  return made.id;
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

/** Whether products are of the set. */
export const hasProducts = async (tx: EntityManager, id: number): Promise<boolean> =>
  (await isUsed.first(tx, { id }))?.isSaid === true;

const isUsed = statement({
  takes: { id: integer },
  gives: { isSaid: flag },
  text: 'select exists (select from product where attribute_set_id = $id) as is_said',
});

interface PlaceInSet {
  attributeSetId: number;
  attributeGroupId: number;
  attributeCode: string;
  sortOrder: number;
}

/** Puts an attribute into a group of a set, wherever in the set it was. */
export const putIntoSet = (tx: EntityManager, place: PlaceInSet) => put.first(tx, place);

const put = statement({
  takes: { attributeSetId: integer, attributeGroupId: integer, attributeCode: text, sortOrder: integer },
  gives: { id: integer },
  text: `
    insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code, sort_order)
    values ($attributeSetId, $attributeGroupId, $attributeCode, $sortOrder)
    on conflict (attribute_set_id, attribute_code)
      do update set attribute_group_id = excluded.attribute_group_id, sort_order = excluded.sort_order
    returning entity_attribute_id as id`,
});
