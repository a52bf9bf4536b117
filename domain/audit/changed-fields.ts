/** A record as its columns have it. What is not there yet, or no more, has none. */
export type Facts = Readonly<Record<string, unknown>>;

export interface FieldChange {
  fieldName: string;
  oldValue: string | null;
  newValue: string | null;
}

/** What stands in the trail for a secret: that there was one, never which. */
export const maskedValue = '******';

/**
 * What one save changed, field by field with old and new values as text (spec 2.15): nothing for a save that changed
 * nothing, every field that has a value for a record that is new or gone.
 *
 * @param secrets fields whose values are masked
 */
export function changedFields(given: { before: Facts; after: Facts; secrets?: ReadonlySet<string> }): FieldChange[] {
  const { before, after, secrets = new Set() } = given;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => ({ fieldName: name, oldValue: textOf(before[name]), newValue: textOf(after[name]) }))
    .filter(({ oldValue, newValue }) => oldValue !== newValue)
    .map((change) => (secrets.has(change.fieldName) ? masked(change) : change));
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const masked = ({ fieldName, oldValue, newValue }: FieldChange): FieldChange => ({
  fieldName,
  oldValue: oldValue === null ? null : maskedValue,
  newValue: newValue === null ? null : maskedValue,
});
