/**
 * A customer as entered in a register's form (spec 2.9). Texts are trimmed, and empty where nothing was entered; an
 * absent id is 0.
 */
export interface RegisterDraft {
  email: string;
  firstname: string;
  lastname: string;
  company: string;
  taxvat: string;
  phone: string;
  /** The whole street; line breaks separate its lines. */
  street: string;
  city: string;
  postcode: string;
  /** ISO 3166-1, two letters, in any case. */
  countryCode: string;
  /** `YYYY-MM-DD`; our addition, for shops that ask how old a customer is. */
  dob: string;
  websiteId: number;
  /** The account that is edited. */
  customerId: number;
  locationId: number;
}

/** A field of the draft, by its name in rows. */
export type DraftField = keyof RegisterDraft;
