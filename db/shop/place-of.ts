import { regionCode } from '../../domain/platform/directory/region-codes.ts';
import type { PlaceFields } from '../../domain/shop/shop-records.ts';

interface KeptPlace {
  countryId?: string | null | undefined;
  regionId?: number | null | undefined;
  region?: string | null | undefined;
  city?: string | null | undefined;
  street?: string | null | undefined;
  postcode?: string | null | undefined;
  phone?: string | null | undefined;
}

/** The address of a source or a location as a shop file writes it. */
export const placeOf = ({ countryId, regionId, region, city, street, postcode, phone }: KeptPlace): PlaceFields => ({
  countryId: countryId ?? null,
  region: regionCode({ regionId: regionId ?? null, region: region ?? null }),
  city: city ?? null,
  street: street ?? null,
  postcode: postcode ?? null,
  phone: phone ?? null,
});
