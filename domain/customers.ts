import { isCalendarDay } from './calendar-day.ts';
import { errorRow, normalizeRow, warningRow, type ValidationRow } from './customers/validation-row.ts';
import { isEmailAddress, isPersonName, type AddressDraft, type CustomerDraft } from './platform/customers.ts';
import { findCountry, postcodePatterns } from './platform/directory.ts';

/**
 * Age in whole years on a day; both dates are `YYYY-MM-DD`. A person born on 29 February turns a year older on 1
 * March.
 */
export function completedYears(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(5) < born.slice(5) ? years - 1 : years;
}

/** The longest postcode there is. A longer text is not tried in other spellings, nor matched against a pattern. */
const longest = 16;

/**
 * Checks a postcode against its country's patterns (platform facts 9.6); no rows where it has none. One that only
 * needs capitals, a blank or a dash gets the right spelling. Any other mismatch is a warning, because patterns can be
 * older than the post's rules.
 */
export function postcodeRows(postcode: string, countryId: string): ValidationRow[] {
  const patterns = Object.hasOwn(postcodePatterns, countryId) ? (postcodePatterns[countryId] ?? []) : [];
  const isGood = (text: string) =>
    text.length <= longest && patterns.some(({ pattern }) => new RegExp(pattern, 'u').test(text));
  if (postcode === '' || patterns.length === 0 || isGood(postcode)) return [];
  const better = spellings(postcode, patterns[0]?.example ?? '').find(isGood);
  if (better !== undefined) return [normalizeRow('postcode', better)];
  const examples = patterns.map(({ example }) => example).join(' or ');
  return [warningRow('postcode', 'postcode_unusual', `Postcodes of this country look like ${examples}.`)];
}

/** Possible spellings, the likeliest first: split where the country's first example is split. */
function spellings(postcode: string, example: string): string[] {
  const plain = postcode.toUpperCase().replaceAll(/[\s-]/g, '');
  if (plain.length > longest) return [];
  const parted = [' ', '-'].flatMap((mark) =>
    Array.from(
      { length: Math.max(0, plain.length - 1) },
      (_, at) => plain.slice(0, at + 1) + mark + plain.slice(at + 1),
    ),
  );
  const whole = [postcode.toUpperCase(), plain];
  return /[\s-]/.test(example) ? [...parted, ...whole] : [...whole, ...parted];
}

/**
 * The account that a register's draft becomes. Company, phone and postcode live on its address, which exists as soon
 * as one of its fields does. So an entry is never lost because other fields are missing. The address never has a
 * region.
 *
 * @param countryId of an address that names none
 */
export function toCustomer(draft: RegisterDraft, countryId: string): CustomerDraft {
  const { email, firstname, lastname, taxvat, dob } = draft;
  return {
    email,
    firstname,
    lastname,
    taxvat: orNone(taxvat),
    dob: orNone(dob),
    addresses: hasAddress(draft) ? [addressOf(draft, countryId)] : [],
  };
}

const hasAddress = ({ company, phone, street, city, postcode }: RegisterDraft) =>
  [company, phone, street, city, postcode].some((text) => text !== '');

const addressOf = (draft: RegisterDraft, countryId: string): AddressDraft => ({
  firstname: draft.firstname,
  lastname: draft.lastname,
  company: orNone(draft.company),
  telephone: orNone(draft.phone),
  street: draft.street.split(/\r?\n/).filter((line) => line !== ''),
  city: draft.city,
  postcode: orNone(draft.postcode),
  countryId: draft.countryCode === '' ? countryId : draft.countryCode.toUpperCase(),
  isDefaultBilling: true,
  isDefaultShipping: true,
});

const orNone = (text: string) => (text === '' ? null : text);

/** The end of the address that stands on orders of an erased person: nobody has it, and no mail goes there. */
export const erasedTail = '@erased.invalid';

/** Keeps the orders of one person together, and belongs to nobody. */
export const erasedAddress = (of: string) => `erased-${of}${erasedTail}`;
export const isErasedAddress = (address: string) => address.toLowerCase().endsWith(erasedTail);

/** The fewest digits of a telephone number that may be somebody's. */
const fewestDigits = 6;

/** How a person without an account is named: by e-mail, or by telephone as it stands on orders. */
export type GuestName = { email: string } | { telephone: string };

/**
 * @returns undefined for what is neither. Any text with an `@` may stand on an order as its e-mail; a telephone comes
 * back as its digits, without zeros at the front
 */
export function guestNamed(input: string): GuestName | undefined {
  const email = input.trim();
  if (email.includes('@')) return { email };
  const telephone = digitsOf(email);
  return /^[\d\s()+./-]+$/.test(email) && telephone.length >= fewestDigits ? { telephone } : undefined;
}

const digitsOf = (written: string) => written.replaceAll(/\D/g, '').replace(/^0+/, '');

/** Members of a register's documents that say who somebody is. */
const personal = new Set([
  ...['customer_name', 'customer_email', 'customer_phone', 'customer_note', 'customerName', 'customerEmail'],
  ...['firstname', 'lastname', 'middlename', 'first_name', 'last_name', 'firstName', 'lastName'],
  ...['email', 'telephone', 'phone', 'fax', 'company', 'street', 'taxvat', 'vat_id', 'dob'],
]);
/** Objects about a person, in which a plain `name` is a name too. */
const aboutPerson =
  /^(?:customer|ship_to(?:_shipments)?|backorder_shipments|(?:billing|shipping)_?address|shippingAddress|billingAddress)$/;
/** In such an object also where exactly somebody lives; country and region stay, because taxes depend on them. */
const whereabouts = new Set(['name', 'city', 'postcode']);
/** Lists of goods within such an object have names of their own. */
const goods = 'items';

/**
 * A document of a register without names and addresses; its figures stay. What cannot be read as JSON is dropped as a
 * whole.
 *
 * @param isAboutPerson the document itself is about a person, such as a list of shipments
 */
export function withoutNames(text: string | null, isAboutPerson = false): string | null {
  if (text === null) return null;
  try {
    return JSON.stringify(redacted(JSON.parse(text), isAboutPerson));
  } catch {
    return null;
  }
}

function redacted(value: unknown, isPerson: boolean): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => redacted(one, isPerson));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (personal.has(key) || (isPerson && whereabouts.has(key))) return [key, null];
      return [key, redacted(inner, key === goods ? false : isPerson || aboutPerson.test(key))];
    }),
  );
}

/** The longest text a column of an account holds. */
const draftFieldsLongest = 255;

const labels = {
  email: 'E-mail',
  firstname: 'First name',
  lastname: 'Last name',
  company: 'Company',
  taxvat: 'VAT number',
  phone: 'Phone',
  street: 'Street',
  city: 'City',
  postcode: 'Postcode',
} as const;
type Labelled = keyof typeof labels;
const labelled: readonly Labelled[] = [
  ...(['email', 'firstname', 'lastname', 'company', 'taxvat'] as const),
  ...(['phone', 'street', 'city', 'postcode'] as const),
];

/** The fields every customer needs (spec 2.9): one row for each missing field. */
export const missingRows = (draft: RegisterDraft): ValidationRow[] =>
  (['email', 'firstname', 'lastname'] as const)
    .filter((field) => draft[field] === '')
    .map((field) => errorRow(field, `${field}_required`, `${labels[field]} is required.`));

/** What no account can hold, in any shop: one row for each fault, so that the save itself never refuses it. */
export function formRows(draft: RegisterDraft, today: string): ValidationRow[] {
  return [
    ...emailRows(draft),
    ...nameRows(draft),
    ...labelled
      .filter((field) => draft[field].length > draftFieldsLongest)
      .map((field) =>
        errorRow(field, `${field}_too_long`, `${labels[field]} has more than ${draftFieldsLongest} characters.`),
      ),
    ...countryRows(draft),
    ...birthRows(draft, today),
  ];
}

const emailRows = ({ email }: RegisterDraft) =>
  email === '' || isEmailAddress(email) ? [] : [errorRow('email', 'email_invalid', 'This is not an e-mail address.')];

const nameRows = (draft: RegisterDraft) =>
  (['firstname', 'lastname'] as const)
    .filter((field) => draft[field] !== '' && draft[field].length <= draftFieldsLongest && !isPersonName(draft[field]))
    .map((field) => errorRow(field, `${field}_invalid`, `${labels[field]} has characters that no name has.`));

function countryRows({ countryCode }: RegisterDraft): ValidationRow[] {
  if (countryCode === '') return [];
  const inCapitals = countryCode.toUpperCase();
  if (!findCountry(inCapitals)) return [errorRow('countryCode', 'country_unknown', 'There is no such country.')];
  return inCapitals === countryCode ? [] : [normalizeRow('countryCode', inCapitals)];
}

function birthRows({ dob }: RegisterDraft, today: string): ValidationRow[] {
  if (dob === '') return [];
  if (!isCalendarDay(dob)) return [errorRow('dob', 'dob_invalid', 'The date of birth is a day such as 1990-02-28.')];
  return dob > today ? [errorRow('dob', 'dob_to_come', 'The date of birth is still to come.')] : [];
}

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
