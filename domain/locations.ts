import type { ShopSettings } from './configuration/setting-defaults.ts';
import { isNamedTimeZone } from './local-day.ts';
import { findRegion } from './platform/directory.ts';

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
  timeZone?: string | null | undefined;
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
  if (fields.timeZone && !isNamedTimeZone(fields.timeZone)) return 'the time zone is not an IANA name';
  return undefined;
}

/** The address fields of a location, by its columns. */
export interface PlaceAddress {
  street: string | null;
  city: string | null;
  region: string | null;
  region_id: number | null;
  postcode: string | null;
  country_id: string | null;
  phone: string | null;
  vat_number: string | null;
  address_use_storeview: boolean;
}

/**
 * The store view's own address. Fields the view leaves empty keep the location's value (our choice). A region alone
 * is never mixed with another address.
 */
export function withStoreAddress<Place extends PlaceAddress>(location: Place, settings: ShopSettings): Place {
  if (!location.address_use_storeview) return location;
  const street = [
    settings.text('general/store_information/street_line1'),
    settings.text('general/store_information/street_line2'),
  ]
    .filter((line) => line !== '')
    .join(', ');
  return {
    ...location,
    ...regionOf(location, settings),
    street: street || location.street,
    city: settings.text('general/store_information/city') || location.city,
    postcode: settings.text('general/store_information/postcode') || location.postcode,
    country_id: settings.text('general/store_information/country_id') || location.country_id,
    phone: settings.text('general/store_information/phone') || location.phone,
    vat_number: settings.text('general/store_information/merchant_vat_number') || location.vat_number,
  };
}

/** The fields that make up an address. */
const whereabouts = ['city', 'postcode', 'country_id', 'region_id'] as const;

/** The view's region, or none, as soon as the view has an address. */
function regionOf({ region, region_id: placeId }: PlaceAddress, settings: ShopSettings) {
  const isElsewhere = whereabouts.some((part) => settings.text(`general/store_information/${part}`) !== '');
  if (!isElsewhere) return { region, region_id: placeId };
  const regionId = settings.integer('general/store_information/region_id');
  return { region: findRegion(regionId)?.name ?? null, region_id: regionId || null };
}
