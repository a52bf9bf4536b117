/** Removes keys that a request may contain and no code uses. */
export function without<Name extends PropertyKey, Given extends { [Key in Name]?: unknown }>(
  given: Given,
  names: readonly Name[],
): Omit<Given, Name> {
  const kept = { ...given };
  for (const name of names) delete kept[name];
  return kept;
}
