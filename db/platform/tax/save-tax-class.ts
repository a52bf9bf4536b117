import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidInput, noSuchEntity } from '../../../domain/errors.ts';
import { isTaxClassType, taxClassErrors, type TaxClassDraft } from '../../../domain/platform/tax/tax-class-errors.ts';
import { flag, integer } from '../../support/kinds.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { TaxClass } from './tax-class.entity.ts';

export const classNameIsTaken = 'A class with the same name already exists for ClassType %1.';
export const classTypeStays = 'Updating classType is not allowed.';
export const classInRule =
  'You cannot delete this tax class because it is used in Tax Rules. You have to delete the rules it is used in first.';
export const classInUse = 'You cannot delete this tax class because it is used in existing %1(s).';

/**
 * Creates a tax class, or renames the one of the id (platform facts 9.5). A repeat of a change leaves the same class; of
 * a creation it is refused, because the name is taken.
 *
 * Refused with: 404 `class_id` unknown class · 400 no name or type, an unknown type, another type than before, a name
 * that a class of the type has in any case of letters.
 *
 * @returns the class's id
 */
export const saveTaxClass = (
  em: EntityManager,
  { classId, draft }: { classId: number | undefined; draft: TaxClassDraft },
): Promise<number> => {
  const save = () =>
    transact(em, async (tx) => {
      const known = classId === undefined ? undefined : await lockedClass(tx, classId);
      if (known && known.classType !== draft.classType) throw invalid(classTypeStays);
      const errors = taxClassErrors(draft);
      const { className, classType } = draft;
      if (errors.length > 0 || className === undefined || !isTaxClassType(classType)) throw invalidInput(errors);
      const saved = known ? tx.assign(known, { className }) : tx.create(TaxClass, { className, classType });
      await tx.flush();
      return saved.classId;
    });
  return refuseTaken(save, () => invalid(classNameIsTaken, [draft.classType]));
};

async function lockedClass(tx: EntityManager, classId: number): Promise<TaxClass> {
  const found = await tx.findOne(TaxClass, { classId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw noSuchEntity('class_id', classId);
  return found;
}

/**
 * Deletes a tax class; a repeat finds nothing. It waits for tax rules and groups that are being saved with it.
 *
 * Refused with: 404 `class_id` unknown class · 400 a tax rule, a product or a customer group has it.
 */
export async function deleteTaxClass(em: EntityManager, classId: number): Promise<void> {
  await transact(em, async (tx) => {
    await lockedClass(tx, classId);
    const uses = await readUses.first(tx, { classId });
    if (uses?.isInRule) throw invalid(classInRule);
    if (uses?.hasProduct) throw invalid(classInUse, ['product']);
    if (uses?.hasGroup) throw invalid(classInUse, ['customer group']);
    await remove.run(tx, { classId });
  });
}

const takes = { classId: integer };
const readUses = statement({
  takes,
  gives: { isInRule: flag, hasProduct: flag, hasGroup: flag },
  text: `
    select exists (
        select from tax_rule where $classId = any(product_tax_class_ids) or $classId = any(customer_tax_class_ids)
      ) as is_in_rule,
      exists (select from product where tax_class_id = $classId) as has_product,
      exists (select from customer_group where tax_class_id = $classId) as has_group`,
});
const remove = statement({ takes, text: 'delete from tax_class where class_id = $classId' });
