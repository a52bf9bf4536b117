import { builtInValidators } from './built-in.ts';
import type { CustomerValidator } from './customer-validator.ts';
import { minimumAge } from './minimum-age.ts';
import { phoneFormat } from './phone-format.ts';
import { postcodeFormat } from './postcode-format.ts';
import { vatNumber } from './vat-number.ts';

/** Who looks at what registers enter of customers. */
export interface CustomerValidators {
  /** Always run, and first. */
  readonly builtIn: readonly CustomerValidator[];
  /** Run where they are selected, in the order in which they were registered. */
  readonly optional: readonly CustomerValidator[];
}

/** The one list of them: a vendor's own joins at its end, and runs there. */
export const createCustomerValidators = (): CustomerValidators => ({
  builtIn: builtInValidators,
  optional: [phoneFormat, postcodeFormat, vatNumber, minimumAge],
});

/**
 * Those that a selection runs, in the order of registration: of an empty one all, else those it names. Keys nobody registered
 * are ignored, so a selection of only such keys runs the built-in ones alone (spec 4.1).
 */
export function selectedValidators({ builtIn, optional }: CustomerValidators, selection: string): CustomerValidator[] {
  const keys = selection.split(/[\s,]+/).filter((key) => key !== '');
  return [...builtIn, ...(keys.length === 0 ? optional : optional.filter(({ key }) => keys.includes(key)))];
}

/** Every setting that some validator reads. */
export const settingPathsOf = ({ builtIn, optional }: CustomerValidators): string[] => [
  ...new Set([...builtIn, ...optional].flatMap(({ settings = [] }) => settings)),
];
