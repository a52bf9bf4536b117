import { readAs, type Overrides } from '../configuration/resolve-config.ts';

const key = 'layaway_expiry_days';
/** A century: no layaway lasts longer, and every moment until then can be written down. */
const longestDays = 36_500;

/** Where the days are told, the narrowest first; null says nothing. */
export interface ToldDays {
  terminal: Overrides | null;
  location: number | null;
  locationOverrides: Overrides | null;
  /** The shop's setting. */
  shop: string;
}

/**
 * After how many days a layaway expires that was begun at a register: as the register's resolved config has it (spec 2.2).
 *
 * @returns 0: never, as `period_days` 0 is no window (our choice)
 */
export function expiryDaysOf({ terminal, location, locationOverrides, shop }: ToldDays): number {
  const told = [terminal?.[key], location, locationOverrides?.[key], shop].map((value) => readAs('integer', value));
  const days = Number(told.find((value) => value !== undefined) ?? 0);
  return Math.min(Math.max(days, 0), longestDays);
}
