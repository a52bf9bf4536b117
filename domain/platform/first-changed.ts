/**
 * The first property that is sent with another value than the stored one; undefined when none is. Null and blank text
 * are equal. Rates are kept as text and compared by value: `1.36` is `1.360000000000`.
 */
export const firstChanged = (stored: object, sent: object, names: readonly string[]): string | undefined =>
  names.find((name) => {
    const value: unknown = Reflect.get(sent, name);
    return value !== undefined && plain(name, value) !== plain(name, Reflect.get(stored, name));
  });

function plain(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return '';
  return name.endsWith('Rate') ? Number(value) : value;
}
