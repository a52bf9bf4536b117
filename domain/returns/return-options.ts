import { codeLabels } from '../code-labels.ts';

/** The choices a register offers when goods come back (spec 4.8 options). The built-in labels are their own ids. */

export const resolutionBehaviors = ['refund', 'exchange', 'unsupported'] as const;
export type ResolutionBehavior = (typeof resolutionBehaviors)[number];

export interface ReturnOption {
  id: string;
  label: string;
  behavior: ResolutionBehavior | null;
  isStoreCredit: boolean | null;
}

/** The choices of a returns provider in a store view. */
export interface ReturnOptions {
  reasons: readonly ReturnOption[];
  conditions: readonly ReturnOption[];
  resolutions: readonly ReturnOption[];
}

const plain = (label: string): ReturnOption => ({ id: label, label, behavior: null, isStoreCredit: null });
const resolution = (label: string, behavior: ResolutionBehavior, isStoreCredit = false): ReturnOption => ({
  id: label,
  label,
  behavior,
  isStoreCredit,
});

export const builtInConditions = ['Unopened', 'Opened', 'Damaged'].map(plain);

/**
 * The built-in provider's choices. Reasons are a setting of the store, as `Changed mind,Wrong size`: the spec leaves
 * them to the provider.
 */
export const builtInOptions = (reasons: string): ReturnOptions => ({
  reasons: codeLabels(reasons).map(({ label }) => plain(label)),
  conditions: builtInConditions,
  resolutions: [
    resolution('Refund', 'refund'),
    resolution('Exchange', 'exchange'),
    resolution('Store Credit', 'refund', true),
  ],
});

/** Finds the option that a row names by id or by label; undefined when it is not on offer. */
export const findOption = (options: readonly ReturnOption[], id: string | undefined, label: string | undefined) =>
  options.find((option) => (id === undefined ? option.label === label : option.id === id));

/** Finds the option for one word, where a row has no separate id: by label first, then by id. */
export const optionNamed = (options: readonly ReturnOption[], word: string | undefined) =>
  word === undefined ? undefined : (findOption(options, undefined, word) ?? findOption(options, word, undefined));
