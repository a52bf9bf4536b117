import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultSet } from '../../../domain/platform/catalog/attribute-sets.ts';
import { transact } from '../../support/transact.ts';
import { hasProducts } from './attribute-set-rows.ts';
import { isOfOthers } from './search-attribute-sets.ts';
import { lockAttributeSet } from './lock-attribute-set.ts';

export const setIsDefault = "The default attribute set can't be deleted.";
export const setIsUsed = "The attribute set couldn't be deleted.";

/**
 * Deletes a set without products, with its groups (our choice: the platform deletes its products). A repeat finds
 * nothing.
 *
 * Refused with: 404 unknown · 400 a default set, or one that products have. A product that is saved into it at the
 * same time wins or waits: the lock is also the one that its foreign key takes.
 */
export const deleteAttributeSet = (em: EntityManager, id: number): Promise<void> =>
  transact(em, async (tx) => {
    if (id === defaultSet || isOfOthers(id)) throw invalid(setIsDefault);
    const set = await lockAttributeSet(tx, id);
    if (await hasProducts(tx, id)) throw invalid(setIsUsed);
    tx.remove(set);
    await tx.flush();
  });
