/** The permitted values of a location's own fields, in any shop (spec 2.3). Absent and null fields have no fault. */
export interface LocationFields {
  name?: string | undefined;
  code?: string | undefined;
  lowStockThreshold?: number | null | undefined;
  receiptLogoSize?: number | null | undefined;
  layawayExpiryDays?: number | null | undefined;
  /** Decimal text. */
  layawayDepositMinPercent?: string | null | undefined;
  layawayCancellationFeePercent?: string | null | undefined;
}

const isBlank = (text: string | undefined) => text !== undefined && text.trim() === '';
const isNegative = (count: number | null | undefined) => typeof count === 'number' && count < 0;
const isPercentage = (text: string | null | undefined) =>
  text === null || text === undefined || (Number(text) >= 0 && Number(text) <= 100);

/** @returns half a sentence that says what is wrong, or undefined. */
export function locationFault(fields: LocationFields): string | undefined {
  if (isBlank(fields.name)) return 'a location needs a name';
  if (isBlank(fields.code)) return 'a location needs a code';
  if (isNegative(fields.lowStockThreshold)) return 'the low-stock threshold is below zero';
  if (isNegative(fields.receiptLogoSize)) return 'the size of the logo is below zero';
  if (isNegative(fields.layawayExpiryDays)) return 'the days until a layaway expires are below zero';
  if (!isPercentage(fields.layawayDepositMinPercent)) return 'the minimum deposit is not a percentage from 0 to 100';
  if (!isPercentage(fields.layawayCancellationFeePercent))
    return 'the cancellation fee is not a percentage from 0 to 100';
  return undefined;
}
