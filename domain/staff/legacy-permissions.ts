import { legacyPermissionKeys } from './permissions.ts';

/** What became of `configure_hardware` (spec 2.6). */
const successors = ['settings_scanner', 'settings_printers', 'settings_payment_terminal'] as const;

/**
 * A role's permissions with the legacy `configure_hardware` in today's keys too: where it is true and a key that took its
 * place is not named, that key is true. It stays, for older apps read it. Anything else is as it was sent.
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
