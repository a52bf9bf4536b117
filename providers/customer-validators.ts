import type { Validator } from 'stdnum';
import {
  completedYears,
  formRows,
  missingRows,
  postcodeRows,
  type DraftField,
  type RegisterDraft,
} from '../domain/customers.ts';
import { errorRow, normalizeRow, warningRow, type ValidationRow } from '../domain/customers/validation-row.ts';

/** The validators that always run, whatever is selected: without them an account could not be saved (spec 4.5). */

const requiredFields: CustomerValidator = {
  key: 'required_fields',
  label: 'Required fields',
  field: 'email',
  validate: (draft, { websiteId }) => [
    ...missingRows(draft),
    ...(websiteId === undefined ? [errorRow('websiteId', 'website_unknown', 'There is no such website.')] : []),
  ],
};

const fieldForms: CustomerValidator = {
  key: 'field_forms',
  label: 'What an account can hold',
  field: 'email',
  validate: (draft, { today }) => formRows(draft, today),
};

/** An early warning for the cashier; the database decides when the account is created. */
const emailUniqueness: CustomerValidator = {
  key: 'email_uniqueness',
  label: 'One account per e-mail and website',
  field: 'email',
  validate: (_draft, { isEmailTaken }) => (isEmailTaken ? [emailTakenRow] : []),
};

/** Also the answer to the second of two creates (spec 4.5): never an HTTP error. */
export const emailTakenRow = errorRow('email', 'email_taken', 'A customer with this e-mail address exists already.');

const builtInValidators: readonly CustomerValidator[] = [requiredFields, fieldForms, emailUniqueness];

/** What a validator gets beside the draft. */
export interface ValidationContext {
  /** The website the account would be saved on, after 0 was resolved; undefined for an unknown website. */
  websiteId: number | undefined;
  /** The draft's country, else the location's, else the shop's: never empty. In capitals. */
  countryId: string;
  /** An account of the website has this e-mail, and it is not the one that is edited. */
  isEmailTaken: boolean;
  /** `YYYY-MM-DD`. */
  today: string;
  /** A later answer is ignored. */
  deadline: Date;
  /** The value of a setting listed in `settings`, for the website of the request; empty where it is not set. */
  setting: (path: string) => string;
}

/**
 * Checks a register's customer draft and returns what is wrong with it (spec 2.9, 4.5).
 *
 * It runs before anything is saved, at every validate and at every create, and holds no lock. It may run any number
 * of times for one draft, writes nothing, and ends by its deadline. When it throws or returns an invalid row, the
 * cashier sees a warning that the check did not run.
 */
export interface CustomerValidator {
  /** The name in the setting that selects it: small letters, digits and `_`. */
  readonly key: string;
  /** For operators. */
  readonly label: string;
  /** The field beside which its failure is shown. */
  readonly field: DraftField;
  /** Paths of the settings it reads. */
  readonly settings?: readonly string[];
  validate(
    draft: RegisterDraft,
    context: ValidationContext,
  ): readonly ValidationRow[] | Promise<readonly ValidationRow[]>;
}

const path = 'vendor_pos_advanced/customers/minimum_age';

/**
 * The minimum age of customers, where the shop sets one. Without a date of birth the register is told to ask for it;
 * an edit without one keeps the account's own.
 */
const minimumAge: CustomerValidator = {
  key: 'minimum_age',
  label: 'Minimum age',
  field: 'dob',
  settings: [path],
  validate({ dob, customerId }, { today, setting }) {
    const least = Number(setting(path));
    if (!(least > 0)) return [];
    if (dob === '')
      return customerId > 0
        ? []
        : [warningRow('dob', 'age_unknown', `Customers are at least ${least} years old here.`)];
    if (completedYears(dob, today) >= least) return [];
    return [errorRow('dob', 'too_young', `Customers are at least ${least} years old here.`)];
  },
};

/**
 * Checks a phone number by the numbering plan of its country. An impossible number is an error, an unknown one a
 * warning, and another spelling gets the standard form.
 */
const phoneFormat: CustomerValidator = {
  key: 'phone_format',
  label: 'Phone number by country',
  field: 'phone',
  async validate({ phone }, { countryId }) {
    if (phone === '') return [];
    // Loaded for the first number: most processes never need the plans of all countries.
    const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min');
    const country = isSupportedCountry(countryId) ? countryId : undefined;
    const number = parsePhoneNumberFromString(phone, country ? { defaultCountry: country } : undefined);
    if (!number?.isPossible()) return [errorRow('phone', 'phone_invalid', 'This phone number cannot be dialled.')];
    if (!number.isValid())
      return [warningRow('phone', 'phone_unusual', 'No such phone number is known. Ask the customer again.')];
    // The plain form would lose an extension.
    return number.number === phone || number.ext !== undefined ? [] : [normalizeRow('phone', number.number)];
  },
};

/** Checks a postcode by the patterns that registers also get (spec 2.18, 4.1). */
const postcodeFormat: CustomerValidator = {
  key: 'postcode_format',
  label: 'Postcode by country',
  field: 'postcode',
  validate: ({ postcode }, { countryId }) => postcodeRows(postcode, countryId),
};

/**
 * The VAT number's name in each country, by the two letters in front of it: the EU, the United Kingdom, Northern
 * Ireland.
 */
const kinds: Readonly<Record<string, readonly [country: string, kind: string]>> = {
  AT: ['AT', 'uid'],
  BE: ['BE', 'vat'],
  BG: ['BG', 'vat'],
  CY: ['CY', 'vat'],
  CZ: ['CZ', 'dic'],
  DE: ['DE', 'vat'],
  DK: ['DK', 'cvr'],
  EE: ['EE', 'kmkr'],
  EL: ['GR', 'vat'],
  ES: ['ES', 'nif'],
  FI: ['FI', 'alv'],
  FR: ['FR', 'tva'],
  GB: ['GB', 'vat'],
  HR: ['HR', 'oib'],
  HU: ['HU', 'anum'],
  IE: ['IE', 'vat'],
  IT: ['IT', 'iva'],
  LT: ['LT', 'pvm'],
  LU: ['LU', 'tva'],
  LV: ['LV', 'pvn'],
  MT: ['MT', 'vat'],
  NL: ['NL', 'btw'],
  PL: ['PL', 'nip'],
  PT: ['PT', 'nif'],
  RO: ['RO', 'cif'],
  SE: ['SE', 'vat'],
  SI: ['SI', 'ddv'],
  SK: ['SK', 'dph'],
  XI: ['GB', 'vat'],
};

/** Greece puts EL in front of its numbers. */
const prefixOf = (countryId: string) => (countryId === 'GR' ? 'EL' : countryId);

/**
 * Checks a VAT number of the EU and the UK by its checksum. With the country's letters a wrong digit is an error.
 * Without them it may be another tax number, so a wrong digit is a warning. Numbers of other countries are not
 * checked.
 *
 * Only the tax office knows whether the number is registered: another validator must ask it.
 */
const vatNumber: CustomerValidator = {
  key: 'vat_number',
  label: 'VAT number of the EU and UK by checksum',
  field: 'taxvat',
  async validate({ taxvat }, { countryId }) {
    const compact = taxvat.toUpperCase().replaceAll(/[\s.\-/]/g, '');
    if (compact === '') return [];
    const named = /^([A-Z]{2})(?=[A-Z\d]*\d)/.exec(compact)?.[1];
    const prefix = named !== undefined && Object.hasOwn(kinds, named) ? named : undefined;
    const number = prefix === undefined ? compact : compact.slice(prefix.length);
    const letters = prefix ?? prefixOf(countryId);
    const rule = await ruleOf(letters);
    if (rule === undefined) return [];
    const found = rule.validate(number);
    if (found.isValid) {
      const whole = `${letters}${found.compact}`;
      return whole === taxvat ? [] : [normalizeRow('taxvat', whole)];
    }
    const message = 'This is not a VAT number of the country: a digit may be wrong.';
    return [
      prefix === undefined ? warningRow('taxvat', 'vat_unusual', message) : errorRow('taxvat', 'vat_invalid', message),
    ];
  },
};

/** Loaded for the first number: most processes never need it. */
async function ruleOf(prefix: string): Promise<Validator | undefined> {
  const kind = Object.hasOwn(kinds, prefix) ? kinds[prefix] : undefined;
  if (kind === undefined) return undefined;
  const { stdnum } = await import('stdnum');
  return stdnum[kind[0]]?.[kind[1]];
}

/** The validators of customer drafts. */
export interface CustomerValidators {
  /** These always run, and first. */
  readonly builtIn: readonly CustomerValidator[];
  /** These run where they are selected, in the order of registration. */
  readonly optional: readonly CustomerValidator[];
}

/** The list of all validators; a vendor's own is added at its end. */
export const createCustomerValidators = (others: readonly CustomerValidator[] = []): CustomerValidators => ({
  builtIn: builtInValidators,
  optional: [phoneFormat, postcodeFormat, vatNumber, minimumAge, ...others],
});

/**
 * The selected validators, in the order of registration: all for an empty selection, else those it names. Unknown
 * keys are ignored, so a selection of only unknown keys runs the built-in ones alone (spec 4.1).
 */
export function selectedValidators({ builtIn, optional }: CustomerValidators, selection: string): CustomerValidator[] {
  const keys = selection.split(/[\s,]+/).filter((key) => key !== '');
  return [...builtIn, ...(keys.length === 0 ? optional : optional.filter(({ key }) => keys.includes(key)))];
}

/** Every setting that some validator reads. */
export const settingPathsOf = ({ builtIn, optional }: CustomerValidators): string[] => [
  ...new Set([...builtIn, ...optional].flatMap(({ settings = [] }) => settings)),
];
