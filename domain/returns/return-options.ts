/** What a register may choose from when goods come back (spec 4.8 options). The built-in labels are their own ids. */

export const resolutionBehaviors = ['refund', 'exchange', 'unsupported'] as const;
export type ResolutionBehavior = (typeof resolutionBehaviors)[number];

export interface ReturnOption {
  id: string;
  label: string;
  behavior: ResolutionBehavior | null;
  isStoreCredit: boolean | null;
}

const plain = (label: string): ReturnOption => ({ id: label, label, behavior: null, isStoreCredit: null });
const resolution = (label: string, behavior: ResolutionBehavior, isStoreCredit = false): ReturnOption => ({
  id: label,
  label,
  behavior,
  isStoreCredit,
});

/** Our choice of reasons: the spec leaves them to the provider. */
export const builtInReasons = [
  'Changed mind',
  'Wrong size',
  'Wrong item',
  'Defective',
  'Damaged in transit',
  'Other',
].map(plain);
export const builtInConditions = ['Unopened', 'Opened', 'Damaged'].map(plain);
export const builtInResolutions = [
  resolution('Refund', 'refund'),
  resolution('Exchange', 'exchange'),
  resolution('Store Credit', 'refund', true),
];

/** Finds what a row names by id or by label; undefined when nobody offered it. */
export const findOption = (options: readonly ReturnOption[], id: string | undefined, label: string | undefined) =>
  options.find((option) => (id === undefined ? option.label === label : option.id === id));
