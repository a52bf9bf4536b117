import { missingField, type InputError } from '../errors.ts';
import { parseUnits, wholeInPercent } from '../money.ts';
import { findCountry, findRegion } from './directory.ts';

/** A value that a field cannot take, as one of several input errors (platform facts 2.2, 2.3). */
const wrongField = (fieldName: string, value: unknown): InputError => ({
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  parameters: { fieldName, value },
});

/** Whether a class is one of goods or of customers. */
export const taxClassTypes = ['CUSTOMER', 'PRODUCT'] as const;

type TaxClassType = (typeof taxClassTypes)[number];

/** A tax class as it is sent. */
export interface TaxClassDraft {
  className?: string | undefined;
  classType?: string | undefined;
}

export const isTaxClassType = (text: string | undefined): text is TaxClassType =>
  taxClassTypes.some((type) => type === text);

/** Everything that is wrong with a tax class, in the platform's words and order (platform facts 9.5). */
export const taxClassErrors = ({ className, classType }: TaxClassDraft): InputError[] => [
  ...(className?.trim() ? [] : [missingField('class_name')]),
  ...(classType?.trim() ? [] : [missingField('class_type')]),
  ...(!classType?.trim() || isTaxClassType(classType) ? [] : [wrongField('class_type', classType)]),
];

/** A tax rate as it is sent. */
export interface TaxRateDraft {
  countryId?: string | undefined;
  /** 0: the whole country. */
  regionId?: number | undefined;
  postcode?: string | undefined;
  isZipRange?: boolean | undefined;
  zipFrom?: number | undefined;
  zipTo?: number | undefined;
  /** In percent, as decimal text. */
  percent?: string | undefined;
  code?: string | undefined;
}

/** Postcodes of a range have at most nine digits. */
const highestZip = 999_999_999;

/** Everything that is wrong with a tax rate, in the platform's words and order (platform facts 9.5). */
export const taxRateErrors = (rate: TaxRateDraft): InputError[] => [
  ...countryErrors(rate),
  ...regionErrors(rate),
  ...percentErrors(rate),
  ...(rate.code?.trim() ? [] : [missingField('code')]),
  ...(rate.isZipRange ? rangeErrors(rate) : rate.postcode?.trim() ? [] : [missingField('postcode')]),
];

function countryErrors({ countryId }: TaxRateDraft): InputError[] {
  if (!countryId) return [missingField('country_id')];
  return findCountry(countryId) ? [] : [wrongField('country_id', countryId)];
}

/** Stricter than the platform: a region of another country would never be met. */
function regionErrors({ regionId = 0, countryId }: TaxRateDraft): InputError[] {
  if (!countryId || regionId === 0 || findRegion(regionId)?.countryId === countryId) return [];
  return [wrongField('region_id', regionId)];
}

function percentErrors({ percent }: TaxRateDraft): InputError[] {
  const units = percent === undefined ? undefined : parseUnits(percent);
  if (units === undefined || units < 0) return [missingField('percentage_rate')];
  return units > wholeInPercent ? [wrongField('percentage_rate', Number(percent))] : [];
}

function rangeErrors({ zipFrom, zipTo }: TaxRateDraft): InputError[] {
  const isDigits = (zip: number | undefined) => zip !== undefined && zip >= 0 && zip <= highestZip;
  return [
    ...(isDigits(zipFrom) ? [] : [wrongField('zip_from', zipFrom ?? null)]),
    ...(isDigits(zipTo) ? [] : [wrongField('zip_to', zipTo ?? null)]),
    ...((zipFrom ?? 0) > (zipTo ?? 0)
      ? [{ message: 'Range To should be equal or greater than Range From.', parameters: [] }]
      : []),
  ];
}

/** A tax rule as it is sent. */
export interface TaxRuleDraft {
  code?: string | undefined;
  priority?: number | undefined;
  position?: number | undefined;
  calculateSubtotal?: boolean | undefined;
  customerTaxClassIds?: readonly number[] | undefined;
  productTaxClassIds?: readonly number[] | undefined;
  taxRateIds?: readonly number[] | undefined;
}

/** What a rule refers to, as far as it exists. */
interface KnownTerms {
  classes: readonly { classId: number; classType: string }[];
  rateIds: readonly number[];
}

/**
 * Everything that is wrong with a tax rule, as the platform's sentences (platform facts 9.5). Unlike those of a rate
 * they come filled in. A class of the wrong kind keeps `%fieldValue`: so the platform writes it, and clients know it.
 */
export const taxRuleFaults = (rule: TaxRuleDraft, known: KnownTerms): string[] => [
  ...orderFaults('position', rule.position),
  ...orderFaults('priority', rule.priority),
  ...(rule.code?.trim() ? [] : [required('code')]),
  ...classFaults('customer_tax_class_ids', 'CUSTOMER', rule.customerTaxClassIds, known),
  ...classFaults('product_tax_class_ids', 'PRODUCT', rule.productTaxClassIds, known),
  ...rateFaults(rule.taxRateIds, known),
];

function orderFaults(field: string, place: number | undefined): string[] {
  if (place === undefined) return [required(field)];
  return place < 0 ? [`The ${field} value of "${place}" must be greater than or equal to 0.`] : [];
}

function classFaults(
  field: string,
  type: string,
  ids: readonly number[] | undefined,
  { classes }: KnownTerms,
): string[] {
  if (!ids?.length) return [required(field)];
  const strangers = ids.filter((id) => !classes.some(({ classId }) => classId === id));
  const ofOtherKind = classes.some(({ classId, classType }) => ids.includes(classId) && classType !== type);
  return [
    ...strangers.slice(0, 1).map((id) => `No such entity with class_id = ${id}`),
    ...(ofOtherKind ? [`No such entity with ${field} = %fieldValue`] : []),
  ];
}

function rateFaults(ids: readonly number[] | undefined, { rateIds }: KnownTerms): string[] {
  if (!ids?.length) return [required('tax_rate_ids')];
  return ids
    .filter((id) => !rateIds.includes(id))
    .slice(0, 1)
    .map((id) => `No such entity with tax_rate_ids = ${id}`);
}

const required = (field: string) => `"${field}" is required. Enter and try again.`;
