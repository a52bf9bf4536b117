import { invalid } from '../errors.ts';

/** Refused with: 400 a line of another return, or the same line twice. */
export function refuseWrongLines(itemIds: readonly number[], named: readonly number[]): void {
  const stranger = named.find((itemId) => !itemIds.includes(itemId));
  if (stranger !== undefined) throw invalid('The return has no line %1.', [stranger]);
  const twice = named.find((itemId, at) => named.indexOf(itemId) !== at);
  if (twice !== undefined) throw invalid('Line %1 of the return is named twice.', [twice]);
}
