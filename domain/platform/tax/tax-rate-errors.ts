import type { InputError } from '../../errors.ts';
import { parseUnits, wholeInPercent } from '../../money/fixed-point.ts';
import { findCountry } from '../directory/countries.ts';
import { findRegion } from '../directory/regions.ts';
import { missingField, wrongField } from '../input-errors.ts';

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
