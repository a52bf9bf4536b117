import { invalid } from '../../domain/errors.ts';

/** Postgres integers end here. */
const greatestId = 2_147_483_647;

/** A row's id as an operator types it, its workflow's name included: `7`, `refund-attempt-7`. 400 for anything else. */
export function rowId(given: string, what: string): number {
  const digits = /^(?:[a-z]+-)*(\d{1,10})$/.exec(given.trim())?.[1];
  const id = digits === undefined ? 0 : Number(digits);
  if (id < 1 || id > greatestId) throw invalid('"%1" is not the id of %2.', [given, what]);
  return id;
}
