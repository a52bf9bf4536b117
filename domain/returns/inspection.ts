import { builtInConditions } from './return-options.ts';

/** The result of the inspection at the counter; it decides where the goods go (spec 4.8). */
export const inspections = ['pristine', 'damaged', 'dispose'] as const;
export type Inspection = (typeof inspections)[number];

/** A receive may use the inspection's words or a customer's words for the condition (our choice). */
const meanings = new Map<string, Inspection>([
  ['pristine', 'pristine'],
  ['unopened', 'pristine'],
  ['opened', 'pristine'],
  ['damaged', 'damaged'],
  ['dispose', 'dispose'],
]);

/** The inspection that a receive's `condition` means, in any letter case; undefined for an unknown word. */
export const inspectionOf = (condition: string): Inspection | undefined => meanings.get(condition.trim().toLowerCase());

/**
 * What a line's condition means for received goods without an inspection. Only damaged goods are kept from sale,
 * where a source for them exists (our choice). Null: they count as pristine.
 */
export const inspectionByCondition = (
  condition: string | null | undefined,
  { hasDamagedShelf }: { hasDamagedShelf: boolean },
): Inspection | null => (hasDamagedShelf && inspectionOf(condition ?? '') === 'damaged' ? 'damaged' : null);

/** The customer's word for the condition, where the receive used one: from then on the line shows it. */
export const conditionLabelOf = (condition: string): string | undefined =>
  builtInConditions.find(({ label }) => label === condition.trim())?.label;
