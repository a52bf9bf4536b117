import { findRegion } from '../directory/regions.ts';

/** An address as a caller sends it; what is absent is kept on a change. */
export interface AddressDraft {
  id?: number | undefined;
  firstname?: string | undefined;
  lastname?: string | undefined;
  middlename?: string | null | undefined;
  prefix?: string | null | undefined;
  suffix?: string | null | undefined;
  company?: string | null | undefined;
  street?: string[] | undefined;
  city?: string | undefined;
  postcode?: string | null | undefined;
  countryId?: string | undefined;
  region?: string | null | undefined;
  regionCode?: string | null | undefined;
  regionId?: number | null | undefined;
  telephone?: string | null | undefined;
  fax?: string | null | undefined;
  vatId?: string | null | undefined;
  isDefaultBilling?: boolean | undefined;
  isDefaultShipping?: boolean | undefined;
}

/** A customer as a caller sends it; what is absent is kept on a change, and null clears. */
export interface CustomerDraft {
  email?: string | undefined;
  firstname?: string | undefined;
  lastname?: string | undefined;
  middlename?: string | null | undefined;
  prefix?: string | null | undefined;
  suffix?: string | null | undefined;
  dob?: string | null | undefined;
  taxvat?: string | null | undefined;
  gender?: number | null | undefined;
  confirmation?: string | null | undefined;
  groupId?: number | undefined;
  storeId?: number | undefined;
  websiteId?: number | undefined;
  defaultBilling?: number | null | undefined;
  defaultShipping?: number | null | undefined;
  disableAutoGroupChange?: number | undefined;
  /** Null removes an attribute. */
  customAttributes?: Record<string, unknown> | undefined;
  /** Absent: kept. Listed: created or changed; addresses not listed are deleted (platform facts 8). */
  addresses?: AddressDraft[] | undefined;
}

/** A region given by its number gets its name and code. */
export function withRegion(address: AddressDraft): AddressDraft {
  const region = address.regionId ? findRegion(address.regionId) : undefined;
  if (!region) return address;
  return { ...address, region: region.name, regionCode: region.code };
}
