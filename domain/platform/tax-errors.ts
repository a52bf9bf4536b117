import { PosError, type InputError } from '../errors.ts';
import { atLeastNone, minimum, minus, none, parseUnits, plus, wholeInPercent, type Quantity } from '../money.ts';
import { findCountry, findRegion } from './directory.ts';

/** A field that must be sent and is not, as one of several input errors (platform facts 2.2, 2.3). */
export const missingField = (fieldName: string): InputError => ({
  message: '"%fieldName" is required. Enter and try again.',
  parameters: { fieldName },
});

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

export interface SourceItemDraft {
  sku?: string | undefined;
  sourceCode?: string | undefined;
  quantity?: Quantity | undefined;
  status?: number | undefined;
}

/** What the platform finds wrong with one row of a stock count, in the order of its own checks (platform facts 2.2). */
export function sourceItemErrors(item: SourceItemDraft): InputError[] {
  return [
    ...skuErrors(item.sku ?? ''),
    ...sourceCodeErrors(item.sourceCode ?? ''),
    ...(item.quantity === undefined ? [error('"%field" should be numeric.', 'quantity')] : []),
    // The platform would store a negative quantity; here it is refused (our choice).
    ...(item.quantity !== undefined && item.quantity < 0 ? [error('"%field" can not be negative.', 'quantity')] : []),
    ...statusErrors(item.status),
  ];
}

export const emptyErrors = (value: string, field: string) =>
  value.trim() === '' ? [error('"%field" can not be empty.', field)] : [];

const skuErrors = (sku: string): InputError[] => [
  ...emptyErrors(sku, 'sku'),
  ...(sku === sku.trim() ? [] : [error('"%field" can not contain leading or trailing spaces.', 'sku')]),
];

/** Of the code of a source, in stock counts and links. */
const sourceCodeErrors = (code: string): InputError[] => [
  ...emptyErrors(code, 'source_code'),
  ...whitespaceErrors(code, 'source_code'),
];

const whitespaceErrors = (value: string, field: string): InputError[] =>
  /\s/.test(value) ? [error('"%field" can not contain whitespaces.', field)] : [];

function statusErrors(status: number | undefined): InputError[] {
  if (status === undefined) return [error('"%field" should be numeric.', 'status')];
  return status === 0 || status === 1 ? [] : [error('"%field" should a known status.', 'status')];
}

/** The inventory's own envelope: it has the list even for a single error (platform facts 2.2). */
export const recordInvalid = (errors: readonly InputError[]): PosError =>
  new PosError({ status: 400, message: 'Validation Failed', errors });

/** The same for rows of a stock count, where the first error is the main message. */
export function validationFailed(errors: readonly InputError[]): PosError {
  const [first] = errors;
  return new PosError({ status: 400, message: `Validation Failed: ${first ? filledIn(first) : ''}`, errors });
}

const filledIn = ({ message, parameters }: InputError) =>
  Object.entries(parameters).reduce((text, [name, value]) => text.replace(`%${name}`, () => String(value)), message);

const error = (message: string, field: string): InputError => ({ message, parameters: { field } });

/**
 * What the platform finds wrong with one link of a stock and a source, in the order of its own checks (platform facts
 * 2.2). A missing priority counts as 0.
 */
export const linkErrors = ({ sourceCode, priority }: { sourceCode: string; priority: number }): InputError[] => [
  ...sourceCodeErrors(sourceCode),
  ...(priority > 0 ? [] : [{ message: '"%field" should be greater then 0.', parameters: { field: 'priority' } }]),
];

interface AtSource {
  sku: string;
  sourceCode: string;
  quantity: Quantity;
}

export interface SourceSelection {
  items: readonly { sourceCode: string; sku: string; qtyToDeduct: Quantity; qtyAvailable: Quantity }[];
  /** Whether these sources can ship everything that was asked for. */
  isShippable: boolean;
}

/**
 * How much each source ships, in the order of the stock's priority (platform facts 10). A source that is not needed
 * is listed with quantity zero.
 */
export function selectSources(
  requested: readonly { sku: string; qty: Quantity }[],
  byPriority: readonly AtSource[],
): SourceSelection {
  const open = new Map<string, Quantity>();
  for (const { sku, qty } of requested) open.set(sku, plus(open.get(sku) ?? none, qty));
  const items = byPriority.map(({ sku, sourceCode, quantity }) => {
    const left = open.get(sku) ?? none;
    const qtyToDeduct = minimum(left, atLeastNone(quantity));
    open.set(sku, minus(left, qtyToDeduct));
    return { sourceCode, sku, qtyToDeduct, qtyAvailable: quantity };
  });
  return { items, isShippable: [...open.values()].every((left) => left <= none) };
}

interface SourceDraft {
  sourceCode?: string | undefined;
  name?: string | undefined;
  postcode?: string | null | undefined;
  countryId?: string | undefined;
}

/** What is wrong with a stock source, in the order of the platform's own checks (platform facts 2.2). */
export const sourceErrors = ({ sourceCode = '', name = '', postcode, countryId = '' }: SourceDraft): InputError[] => [
  ...emptyErrors(sourceCode, 'source_code'),
  ...whitespaceErrors(sourceCode, 'source_code'),
  ...emptyErrors(name, 'name'),
  ...emptyErrors(postcode ?? '', 'postcode'),
  ...emptyErrors(countryId, 'country_id'),
];
