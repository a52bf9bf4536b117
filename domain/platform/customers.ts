import { isCalendarDay } from '../calendar-day.ts';
import type { InputError } from '../errors.ts';
import { findCountry, findRegion, needsPostcode, needsRegion } from './directory.ts';

/** What an account is sent by mail, and how long it works (platform facts 8; the decision says what is our choice). */

/** The templates that a request for a new password may name; the two write the same mail. */
export const resetTemplates: readonly string[] = ['email_reminder', 'email_reset'];

/** For so many hours the token of a new password works: the platform's default. */
export const resetHours = 2;

/** Within so many minutes a repeated request sends nothing, and the token in the mail stays: the platform's default. */
export const resetAgainMinutes = 10;

/** A mail with a token is sent within so many minutes or never, so that enough of the token's time is left. */
export const resetMailMinutes = 60;

export const confirmPath = 'customer/create_account/confirm';

export const accountDefaults = {
  /** Whether new accounts must confirm their e-mail: off, as on the platform. */
  [confirmPath]: '0',
} as const;

/** The answers about an account's confirmation. */
export const confirmationStatuses = [
  'account_confirmed',
  'account_confirmation_required',
  'account_confirmation_not_required',
] as const;

export type ConfirmationStatus = (typeof confirmationStatuses)[number];

/** An account that waits for its e-mail is still asked where the shop has stopped asking others. */
export function confirmationStatus(input: { isAwaiting: boolean; isAsked: boolean }): ConfirmationStatus {
  if (input.isAwaiting) return 'account_confirmation_required';
  return input.isAsked ? 'account_confirmed' : 'account_confirmation_not_required';
}

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

/** Letters, marks, digits, blanks and , - _ . ' ’ ` within 255 (platform facts 8). */
const nameCharacters = /^[\p{L}\p{M}\p{Nd}\s,\-_.'’`]{1,255}$/u;

const emailAddress =
  /^[^\s@,;:<>()[\]\\"\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

const maxLength = 255;

/** 1 male, 2 female, 3 not specified; 0 when the customer was not asked. */
const genders: readonly number[] = [0, 1, 2, 3];

/** Whether the platform accepts it as a first or last name (platform facts 8). */
export const isPersonName = (text: string) => nameCharacters.test(text);

export const isEmailAddress = (text: string) => text.length <= maxLength && emailAddress.test(text);

/** Everything the platform finds wrong with a customer who is to be saved, in the order of its own checks. */
export function customerErrors(customer: CustomerDraft): InputError[] {
  return [
    ...missing({ email: customer.email, firstname: customer.firstname, lastname: customer.lastname }),
    ...badNames(customer),
    ...badEmail(customer.email),
    ...(customer.dob && !isCalendarDay(customer.dob) ? [wrong('dob', customer.dob)] : []),
    ...(typeof customer.gender === 'number' && !genders.includes(customer.gender)
      ? [wrong('gender', customer.gender)]
      : []),
  ];
}

/** What is wrong with one address; several missing fields are reported at once (platform facts 8). */
export function addressErrors(address: AddressDraft): InputError[] {
  return [
    ...missing({
      firstname: address.firstname,
      lastname: address.lastname,
      street: address.street?.[0],
      city: address.city,
      telephone: address.telephone,
      ...(address.countryId && !needsPostcode(address.countryId) ? {} : { postcode: address.postcode }),
      countryId: address.countryId,
    }),
    ...badNames(address),
    ...countryErrors(address),
  ];
}

function countryErrors({ countryId, regionId }: AddressDraft): InputError[] {
  if (!countryId) return [];
  const country = findCountry(countryId);
  if (!country) return [wrong('countryId', countryId)];
  if (regionId && country.regions.length > 0 && findRegion(regionId)?.countryId !== countryId)
    return [wrong('regionId', regionId)];
  return needsRegion(countryId) && !regionId ? [required('regionId')] : [];
}

/** What is wrong with the words for who buys, where they are said. */
export const buyerErrors = (buyer: Pick<CustomerDraft, 'email' | 'firstname' | 'lastname' | 'middlename'>) => [
  ...badNames(buyer),
  ...badEmail(buyer.email),
];

const badEmail = (email: string | undefined): InputError[] =>
  email && !isEmailAddress(email) ? [plain('"Email" is not a valid email address.')] : [];

function badNames(names: Pick<CustomerDraft, 'firstname' | 'lastname' | 'middlename'>): InputError[] {
  const labels = { firstname: 'First Name', lastname: 'Last Name', middlename: 'Middle Name' } as const;
  return (['firstname', 'lastname', 'middlename'] as const).flatMap((field) => {
    const name = names[field];
    return name && !isPersonName(name) ? [plain(`${labels[field]} is not valid!`)] : [];
  });
}

const missing = (fields: Record<string, string | null | undefined>) =>
  Object.entries(fields).flatMap(([field, value]) => (value?.trim() ? [] : [required(field)]));

const plain = (message: string): InputError => ({ message, parameters: [] });

const required = (fieldName: string): InputError => ({
  message: '"%fieldName" is required. Enter and try again.',
  parameters: { fieldName },
});

const wrong = (fieldName: string, value: unknown): InputError => ({
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  parameters: { fieldName, value },
});

const minLength = 8;

const minClasses = 3;

/** What the platform finds wrong with a new password, or nothing (platform facts 2.4). */
export function passwordError({ password, email }: { password: string; email: string }): InputError | undefined {
  if (Array.from(password.trim()).length < minLength)
    return {
      message: 'The password needs at least %1 characters. Create a new password and try again.',
      parameters: [minLength],
    };
  if (password.toLowerCase() === email.toLowerCase())
    return {
      message: "The password can't be the same as the email address. Create a new password and try again.",
      parameters: [],
    };
  if (classesOf(password) < minClasses)
    return {
      message:
        'Minimum of different classes of characters in password is %1. Classes of characters: Lower Case, Upper ' +
        'Case, Digits, Special Characters.',
      parameters: [minClasses],
    };
  return undefined;
}

const classesOf = (password: string) =>
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((characters) => characters.test(password)).length;

/** The search criteria of a list (platform facts 3). */
