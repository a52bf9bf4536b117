/** Leaves keys out: for what a request may carry and nobody takes. */
export function without<Name extends PropertyKey, Given extends { [Key in Name]?: unknown }>(
  given: Given,
  names: readonly Name[],
): Omit<Given, Name> {
  const kept = { ...given };
  for (const name of names) delete kept[name];
  return kept;
}
