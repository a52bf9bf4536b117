import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { defaultSet, isFixedInSets } from '../../domain/platform/catalog/attribute-sets.ts';
import { isOfPlatform } from '../../domain/platform/catalog/product-attributes.ts';
import type { ShopFields } from '../../domain/shop/shop-records.ts';
import { AttributeGroup } from '../platform/catalog/attribute-group.entity.ts';
import { saveAttributeGroup } from '../platform/catalog/attribute-groups.ts';
import { AttributeInSet } from '../platform/catalog/attribute-in-set.entity.ts';
import { AttributeSet } from '../platform/catalog/attribute-set.entity.ts';
import { assignToSet } from '../platform/catalog/attributes-of-set.ts';
import { deleteAttributeSet } from '../platform/catalog/delete-attribute-set.ts';
import { Product } from '../platform/catalog/product.entity.ts';
import { changeAttributeSet, createAttributeSet } from '../platform/catalog/save-attribute-set.ts';
import type { Keeper } from './keeper.ts';
import { refuseUses } from './uses-of.ts';

/** The attribute sets of products. One that products have stays. */
export const attributeSets: Keeper<'attributeSet'> = {
  async save(em, { name, fields: { sortOrder, groups } }) {
    const known = await em.findOne(AttributeSet, { attributeSetName: name });
    const id = known?.attributeSetId ?? (await createAttributeSet(em, { skeletonId: defaultSet, name }, noDefault));
    await changeAttributeSet(em, id, { sortOrder });
    if (groups) await keepGroups(em, { id, name, groups });
  },
  async remove(em, name) {
    const { attributeSetId } = await em.findOneOrFail(AttributeSet, { attributeSetName: name });
    refuseUses(`attribute set ${name}`, [{ what: 'products', times: await em.count(Product, { attributeSetId }) }]);
    await deleteAttributeSet(em, attributeSetId);
  },
};

const noDefault = () => new Error('The default attribute set is not there.');

interface WantedGroups {
  id: number;
  name: string;
  groups: ShopFields['attributeSet']['groups'];
}

/** Groups are the same by their code. Products keep the values of an attribute that leaves the set. */
async function keepGroups(em: EntityManager, { id, name, groups }: WantedGroups): Promise<void> {
  const wanted = groups.flatMap((group) => group.attributes);
  const twice = wanted.find((code, at) => wanted.indexOf(code) !== at);
  if (twice !== undefined) throw invalid('Attribute set %1 names %2 twice.', [name, twice]);
  const placed = await em.find(AttributeInSet, { attributeSetId: id });
  const leaving = placed.map(({ attributeCode }) => attributeCode).filter((code) => !wanted.includes(code));
  const fixed = leaving.filter((code) => isOfPlatform(code) && isFixedInSets(code));
  if (fixed.length > 0) throw invalid('Attribute set %1 needs %2.', [name, fixed.join(', ')]);
  const known = await em.find(AttributeGroup, { attributeSetId: id });
  for (const { code, name: label, sortOrder, attributes } of groups) {
    const group = known.find((one) => one.attributeGroupCode === code);
    const { attribute_group_id: attributeGroupId } = await saveAttributeGroup(em, {
      ...{ attributeSetId: id, attributeGroupId: group?.attributeGroupId, name: label, code, sortOrder },
    });
    for (const [at, attributeCode] of attributes.entries())
      await assignToSet(em, { attributeSetId: id, attributeGroupId, attributeCode, sortOrder: (at + 1) * step });
  }
  await em.nativeDelete(AttributeInSet, { attributeSetId: id, attributeCode: { $in: leaving } });
  const codes = groups.map(({ code }) => code);
  await em.nativeDelete(AttributeGroup, { attributeSetId: id, attributeGroupCode: { $nin: codes } });
}

/** Room for attributes that are put between. */
const step = 10;
