import { invalid } from '../../domain/errors.ts';
import { largestId } from '../../domain/ids.ts';

/** The rows that commands take by id, with the prefix of each id: an attempt's is that of its workflow. */
const things = {
  'refund-attempt': 'a refund attempt',
  webhook: 'an endpoint',
  terminal: 'a terminal',
  spending: 'a spending of credit',
  customer: 'a customer',
  staff: 'a member of staff',
} as const;

/**
 * A row's id as an operator types it, with or without its prefix: `7`, `refund-attempt-7`.
 *
 * Refused with 400 for anything else: `return-7` is another row with the same number.
 */
export function rowId(given: string, thing: keyof typeof things): number {
  const text = given.trim();
  const digits = text.startsWith(`${thing}-`) ? text.slice(thing.length + 1) : text;
  const id = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  if (id < 1 || id > largestId) throw invalid('"%1" is not the id of %2.', [given, things[thing]]);
  return id;
}
