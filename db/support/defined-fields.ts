/** The fields that are set: undefined means absent. Null is a value. */
export type Input<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

const isPresent = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined;

/** Leaves undefined fields out, so that a change overwrites only the fields it names. */
export function definedFields<Fields extends object>(fields: Fields): Input<Fields> {
  const stored: Input<Fields> = {};
  for (const key in fields) {
    const value = fields[key];
    if (isPresent(value)) stored[key] = value;
  }
  return stored;
}
