/** The fields that are set: undefined means absent. Null is a value. */
export type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

const isGiven = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined;

/** Leaves undefined fields out, so that a change overwrites only the fields it names. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const kept: Given<Fields> = {};
  for (const key in fields) {
    const value = fields[key];
    if (isGiven(value)) kept[key] = value;
  }
  return kept;
}
