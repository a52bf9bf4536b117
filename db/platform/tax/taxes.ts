import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import {
  isTaxClassType,
  taxClassErrors,
  taxRateErrors,
  taxRuleFaults,
  type TaxClassDraft,
  type TaxRateDraft,
  type TaxRuleDraft,
} from '../../../domain/platform/taxes.ts';
import { invalidInput } from '../../../domain/refusals/platform.ts';
import { taxClassInUse } from '../../../domain/refusals/sales.ts';
import { searchFieldsOf, fieldsNamed } from '../../support/fields.ts';
import { records } from '../../support/records.ts';
import { Product } from '../catalog/product.entity.ts';
import { CustomerGroup } from '../customers/customer.entity.ts';
import { StoreView } from '../stores/store.entity.ts';
import { codeIsTaken, holdTaxClasses, holdTaxRates } from './lock-tax-rows.ts';
import { TaxClass, TaxRate, TaxRule, type TaxRateTitle } from './tax.entity.ts';

/**
 * The rates that hold for goods and customers of some classes (platform facts 9.5). Carts are taxed by them from the
 * next reading on. A repeat of a creation is refused, because the code is taken. A rule's rates and classes stay when
 * it goes.
 *
 * Refused with: 404 `taxRuleId` unknown rule · 400 no code, position or priority, no rate or class, an unknown one, a
 * code that is taken in any case of letters.
 */
export const taxRules = records<TaxRule, TaxRuleDraft, number>({
  entity: TaxRule,
  key: 'ruleId',
  fields: fieldsNamed(TaxRule, {
    id: 'ruleId',
    tax_calculation_rule_id: 'ruleId',
    code: 'code',
    priority: 'priority',
    position: 'position',
    calculate_subtotal: 'calculateSubtotal',
    product_tax_class_ids: 'productTaxClassIds',
    tax_rate_ids: 'taxRateIds',
    tax_calculation_rate_id: 'taxRateIds',
    customer_tax_class_ids: 'customerTaxClassIds',
  }),
  unknown: (ruleId) => noSuchEntity('taxRuleId', ruleId),
  taken: codeIsTaken,

  async write(tx, rule, known) {
    const classes = await holdTaxClasses(tx, [...(rule.customerTaxClassIds ?? []), ...(rule.productTaxClassIds ?? [])]);
    const faults = taxRuleFaults(rule, { classes, rateIds: await holdTaxRates(tx, rule.taxRateIds ?? []) });
    if (faults.length > 0) throw invalid(faults.join('\n'));
    const columns = columnsOf(rule);
    return known ? tx.assign(known, columns) : tx.create(TaxRule, columns);
  },
});

/** Each once, in the order in which they were sent. */
const once = (ids: readonly number[] | undefined) => [...new Set(ids)];

const columnsOf = ({ code = '', priority = 0, position = 0, calculateSubtotal = false, ...rule }: TaxRuleDraft) => ({
  ...{ code, priority, position, calculateSubtotal },
  customerTaxClassIds: once(rule.customerTaxClassIds),
  productTaxClassIds: once(rule.productTaxClassIds),
  taxRateIds: once(rule.taxRateIds),
});

export const classNameIsTaken = 'A class with the same name already exists for ClassType %1.';
export const classTypeStays = 'Updating classType is not allowed.';
export const classInRule =
  'You cannot delete this tax class because it is used in Tax Rules. You have to delete the rules it is used in first.';
/**
 * Tax classes of goods and of customers (platform facts 8, 9.5). A repeat of a creation is refused, because the name is
 * taken. A deletion waits for tax rules and groups that are being saved with the class.
 *
 * Refused with: 404 `class_id` unknown class · 400 no name or type, an unknown type, another type than before, a name
 * that a class of the type has in any case of letters; a deletion while a tax rule, a product or a customer group has
 * it.
 */
export const taxClasses = records<TaxClass, TaxClassDraft, number>({
  entity: TaxClass,
  key: 'classId',
  fields: searchFieldsOf(TaxClass),
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
    if (product) throw taxClassInUse(['product']);
    if (await tx.findOne(CustomerGroup, { taxClassId: classId })) throw taxClassInUse(['customer group']);
  },
});

export interface SentTaxRate extends TaxRateDraft {
  /** Absent: the earlier ones stay. */
  titles?: readonly TaxRateTitle[] | undefined;
}

export const rateInRule = 'The tax rate cannot be removed. It exists in a tax rule.';

/**
 * The tax rates of all places (platform facts 9.5). Carts bear them from the next reading on, when a tax rule names
 * them. A repeat of a creation is refused, because the code is taken. A deletion waits for rules that are being saved.
 *
 * Refused with: 404 `taxRateId` unknown rate · 400 no code, percentage or postcode, an unknown country, region or store
 * view, a range that ends before it begins, a code that is taken in any case of letters; a deletion while a rule names
 * it.
 */
export const taxRates = records<TaxRate, SentTaxRate, number>({
  entity: TaxRate,
  key: 'rateId',
  fields: {
    ...fieldsNamed(TaxRate, {
      id: 'rateId',
      tax_calculation_rate_id: 'rateId',
      tax_region_id: 'regionId',
      tax_postcode: 'postcode',
      zip_from: 'zipFrom',
      zip_to: 'zipTo',
      rate: 'percent',
      code: 'code',
    }),
    tax_country_id: { column: 'country_id', type: 'code' },
  },
  kept: { list: 'tax_rate', alias: 'tax_rate' },
  unknown: (rateId) => noSuchEntity('taxRateId', rateId),
  taken: codeIsTaken,

  async write(tx, rate, known) {
    const errors = taxRateErrors(rate);
    if (errors.length > 0) throw invalidInput(errors);
    await refuseUnknownViews(tx, rate.titles ?? []);
    const columns = taxRatesColumnsOf(rate);
    return known ? tx.assign(known, columns) : tx.create(TaxRate, { titles: [], ...columns });
  },

  async beforeDelete(tx, { rateId }) {
    const naming = await tx.findOne(TaxRule, { taxRateIds: { $contains: [rateId] } });
    if (naming) throw invalid(rateInRule);
  },
});

/** The platform cuts a longer one; the column is wider, for a range. */
const longestPostcode = 10;

function taxRatesColumnsOf({ countryId = '', regionId = 0, percent = '', code = '', titles, ...rate }: SentTaxRate) {
  const [zipFrom, zipTo] = rate.isZipRange ? [rate.zipFrom ?? 0, rate.zipTo ?? 0] : [null, null];
  const postcode = rate.isZipRange ? `${zipFrom}-${zipTo}` : (rate.postcode ?? '').trim().slice(0, longestPostcode);
  return {
    ...{ countryId, regionId, percent, code, postcode, zipFrom, zipTo },
    ...(titles ? { titles: [...titles] } : {}),
  };
}

async function refuseUnknownViews(em: EntityManager, titles: readonly TaxRateTitle[]): Promise<void> {
  if (titles.length === 0) return;
  const known = new Set((await em.find(StoreView, {})).map(({ storeId }) => String(storeId)));
  const stranger = titles.find(({ storeId }) => !known.has(storeId));
  if (stranger) throw invalidValue('store_id', stranger.storeId);
}
