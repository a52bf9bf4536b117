import { invalid, invalidInput, noSuchEntity } from '../../../domain/errors.ts';
import { isTaxClassType, taxClassErrors, type TaxClassDraft } from '../../../domain/platform/tax-errors.ts';
import { records } from '../../support/records.ts';
import { everyField } from '../../support/search-fields.ts';
import { Product } from '../catalog/product.entity.ts';
import { CustomerGroup } from '../customers/customer-group.entity.ts';
import { TaxClass, TaxRule } from './tax.entity.ts';

export const classNameIsTaken = 'A class with the same name already exists for ClassType %1.';
export const classTypeStays = 'Updating classType is not allowed.';
export const classInRule =
  'You cannot delete this tax class because it is used in Tax Rules. You have to delete the rules it is used in first.';
export const classInUse = 'You cannot delete this tax class because it is used in existing %1(s).';

/**
 * Tax classes of goods and of customers (platform facts 8, 9.5). A repeat of a creation is refused, because the name is
 * taken. A deletion waits for tax rules and groups that are being saved with the class.
 *
 * Refused with: 404 `class_id` unknown class · 400 no name or type, an unknown type, another type than before, a name
 * that a class of the type has in any case of letters; a deletion while a tax rule, a product or a customer group has it.
 */
export const taxClasses = records<TaxClass, TaxClassDraft, number>({
  entity: TaxClass,
  key: 'classId',
  fields: everyField(TaxClass),
  unknown: (classId) => noSuchEntity('class_id', classId),
  taken: ({ classType }) => invalid(classNameIsTaken, [classType]),

  write(tx, draft, known) {
    if (known && known.classType !== draft.classType) throw invalid(classTypeStays);
    const errors = taxClassErrors(draft);
    const { className, classType } = draft;
    if (errors.length > 0 || className === undefined || !isTaxClassType(classType)) throw invalidInput(errors);
    return known ? tx.assign(known, { className }) : tx.create(TaxClass, { className, classType });
  },

  async beforeDelete(tx, { classId }) {
    const ofRule = [
      { productTaxClassIds: { $contains: [classId] } },
      { customerTaxClassIds: { $contains: [classId] } },
    ];
    if (await tx.findOne(TaxRule, { $or: ofRule })) throw invalid(classInRule);
    const product = await tx.findOne(Product, { taxClassId: classId }, { fields: ['entityId'] });
    if (product) throw invalid(classInUse, ['product']);
    if (await tx.findOne(CustomerGroup, { taxClassId: classId })) throw invalid(classInUse, ['customer group']);
  },
});
