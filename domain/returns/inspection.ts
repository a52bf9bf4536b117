import { builtInConditions } from './return-options.ts';

/** What somebody saw on the counter; it decides where the goods go (spec 4.8). */
export const inspections = ['pristine', 'damaged', 'dispose'] as const;
export type Inspection = (typeof inspections)[number];

/** A receive may say it in the words of the inspection or of the condition a customer names (our choice). */
const meanings = new Map<string, Inspection>([
  ['pristine', 'pristine'],
  ['unopened', 'pristine'],
  ['opened', 'pristine'],
  ['damaged', 'damaged'],
  ['dispose', 'dispose'],
]);

/** What a receive's `condition` means for the goods, in any case of letters; undefined for a word nobody knows. */
export const inspectionOf = (condition: string): Inspection | undefined => meanings.get(condition.trim().toLowerCase());

/**
 * What a line's condition says of goods that came in and that nobody inspected: only that damaged ones are kept from being
 * sold, where there is a shelf for them (our choice). Null: they count as pristine.
 */
export const inspectionByCondition = (
  condition: string | null | undefined,
  { hasDamagedShelf }: { hasDamagedShelf: boolean },
): Inspection | null => (hasDamagedShelf && inspectionOf(condition ?? '') === 'damaged' ? 'damaged' : null);

/** The customer's word for it, where that is what was said: the line shows it from then on. */
export const conditionLabelOf = (condition: string): string | undefined =>
  builtInConditions.find(({ label }) => label === condition.trim())?.label;
