import { builtInValidators } from './built-in.ts';
import type { CustomerValidator } from './customer-validator.ts';
import { minimumAge } from './minimum-age.ts';
import { phoneFormat } from './phone-format.ts';
import { postcodeFormat } from './postcode-format.ts';
import { vatNumber } from './vat-number.ts';

/** The validators of customer drafts. */
export interface CustomerValidators {
  /** These always run, and first. */
  readonly builtIn: readonly CustomerValidator[];
  /** These run where they are selected, in the order of registration. */
  readonly optional: readonly CustomerValidator[];
}

/** The list of all validators; a vendor's own is added at its end. */
export const createCustomerValidators = (): CustomerValidators => ({
  builtIn: builtInValidators,
  optional: [phoneFormat, postcodeFormat, vatNumber, minimumAge],
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
