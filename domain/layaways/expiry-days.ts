import { readAs, type Overrides } from '../configuration/resolve-config.ts';

const key = 'layaway_expiry_days';
/** A century. No layaway lasts longer, and every date within it can be stored. */
const longestDays = 36_500;

/** The setting at each level, the narrowest first; null where a level does not set it. */
export interface ExpirySettings {
  terminal: Overrides | null;
  location: number | null;
  locationOverrides: Overrides | null;
  /** The shop's setting. */
  shop: string;
}

/**
 * After how many days a layaway of a register expires, by the register's resolved config (spec 2.2).
 *
 * @returns 0: never, as `period_days` 0 means no window (our choice)
 */
export function expiryDaysOf({ terminal, location, locationOverrides, shop }: ExpirySettings): number {
  const configured = [terminal?.[key], location, locationOverrides?.[key], shop].map((value) =>
    readAs('integer', value),
  );
  const days = Number(configured.find((value) => value !== undefined) ?? 0);
  return Math.min(Math.max(days, 0), longestDays);
}
