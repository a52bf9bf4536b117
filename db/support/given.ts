/** The fields that were given: a key left out is not a value. Null is one. */
export type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

const isGiven = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined;

/** Leaves out what is undefined, so that a change overwrites nothing it does not name. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const kept: Given<Fields> = {};
  for (const key in fields) {
    const value = fields[key];
    if (isGiven(value)) kept[key] = value;
  }
  return kept;
}
