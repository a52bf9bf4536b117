import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { AttributeSet } from './attribute-set.entity.ts';
import { isOfOthers } from './search-attribute-sets.ts';

export const notOfProducts = 'Provided Attribute set non product Attribute set.';

/**
 * Locks a set of products, so that its groups and attributes change one after another. Products may be saved meanwhile.
 *
 * Refused with: what `unknown` says, usually 404 · 400 the set of other records.
 */
export async function lockAttributeSet(
  tx: EntityManager,
  attributeSetId: number,
  unknown: () => Error = () => noSuchEntity('id', attributeSetId),
): Promise<AttributeSet> {
  if (isOfOthers(attributeSetId)) throw invalid(notOfProducts);
  const set = await tx.findOne(AttributeSet, { attributeSetId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!set) throw unknown();
  return set;
}
