/** Leaves out keys that a request may contain and no code uses. What has none of them is not copied. */
export function without<Name extends PropertyKey, Given extends { [Key in Name]?: unknown }>(
  given: Given,
  names: readonly Name[],
): Omit<Given, Name> {
  if (!names.some((name) => name in given)) return given;
  const kept = { ...given };
  for (const name of names) delete kept[name];
  return kept;
}
