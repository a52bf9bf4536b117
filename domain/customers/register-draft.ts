/**
 * A customer as a register's form has one (spec 2.9). Texts are trimmed, and empty where nothing was entered; an id is 0 where
 * none was named.
 */
export interface RegisterDraft {
  email: string;
  firstname: string;
  lastname: string;
  company: string;
  taxvat: string;
  phone: string;
  /** The whole of it; line breaks part its lines. */
  street: string;
  city: string;
  postcode: string;
  /** ISO 3166-1, two letters, in any case. */
  countryCode: string;
  /** `YYYY-MM-DD`; our addition, for shops that ask how old a customer is. */
  dob: string;
  websiteId: number;
  /** Of the account that is edited. */
  customerId: number;
  locationId: number;
}

/** A field of the draft, as rows name it. */
export type DraftField = keyof RegisterDraft;
