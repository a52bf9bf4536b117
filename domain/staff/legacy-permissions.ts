import { legacyPermissionKeys } from './permissions.ts';

/** The keys that replaced `configure_hardware` (spec 2.6). */
const successors = ['settings_scanner', 'settings_printers', 'settings_payment_terminal'] as const;

/**
 * Translates the legacy permission `configure_hardware` into today's keys: where it is true, each successor that is
 * not named becomes true. The legacy key stays, because older apps read it. Everything else is unchanged.
 *
 * @param text JSON of an object with known keys and booleans
 */
export function withoutLegacyGaps(text: string): string {
  const permissions: unknown = JSON.parse(text);
  if (typeof permissions !== 'object' || permissions === null) return text;
  if (!legacyPermissionKeys.some((key) => Reflect.get(permissions, key) === true)) return text;
  const missing = successors.filter((key) => !Object.hasOwn(permissions, key));
  if (missing.length === 0) return text;
  return JSON.stringify({ ...permissions, ...Object.fromEntries(missing.map((key) => [key, true])) });
}
