import type { ShopSettings } from '../../domain/configuration/shop-settings.ts';
import type { LocationRow } from '../../db/locations/location.repository.ts';

/** The store view's own address. What the view leaves empty stays the location's (our choice). */
export function withStoreAddress(location: LocationRow, settings: ShopSettings): LocationRow {
  if (!location.address_use_storeview) return location;
  const street = [
    settings.text('general/store_information/street_line1'),
    settings.text('general/store_information/street_line2'),
  ]
    .filter((line) => line !== '')
    .join(', ');
  return {
    ...location,
    street: street || location.street,
    city: settings.text('general/store_information/city') || location.city,
    postcode: settings.text('general/store_information/postcode') || location.postcode,
    region_id: settings.integer('general/store_information/region_id') || location.region_id,
    country_id: settings.text('general/store_information/country_id') || location.country_id,
    phone: settings.text('general/store_information/phone') || location.phone,
    vat_number: settings.text('general/store_information/merchant_vat_number') || location.vat_number,
  };
}
