/** A record by its columns. A column without a value is absent. */
export type Facts = Readonly<Record<string, unknown>>;

export interface FieldChange {
  fieldName: string;
  oldValue: string | null;
  newValue: string | null;
}

/** What the audit trail shows for a secret: that it has a value, never which value. */
export const maskedValue = '******';

/**
 * What one save changed, field by field with old and new values as text (spec 2.15). A save that changed nothing
 * gives nothing. A record that is new or deleted gives every field that has a value.
 *
 * @param secrets fields whose values are masked
 */
export function changedFields(input: { before: Facts; after: Facts; secrets?: ReadonlySet<string> }): FieldChange[] {
  const { before, after, secrets = new Set() } = input;
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
