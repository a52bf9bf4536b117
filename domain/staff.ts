/**
 * The form of an e-mail that sign-in compares: without surrounding blanks, composed (NFC), in small letters.
 *
 * Everything else counts: `a+till@shop.test` differs from `a@shop.test`, and a dotted capital İ from an i.
 */
export const emailKey = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** One `@` with text on both sides, no blanks, no control characters: enough to notice a typing error. */
export const isEmail = (email: string) => /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) && email.length <= 254;

/** What a role can allow (spec 2.6). The register enforces it; the API's own rights are ACL resources. */

export const permissionKeys = [
  ...['place_orders', 'apply_discounts', 'apply_coupons', 'custom_line_items', 'issue_refunds', 'approve_rma'],
  ...['void_orders', 'price_override', 'tax_exempt_sales', 'reverse_charge'],
  ...['accept_cash', 'accept_card', 'accept_split_payment', 'accept_store_credit', 'pay_by_invoice'],
  ...['open_register', 'close_register', 'cash_in_out', 'view_register_history'],
  ...['view_customers', 'create_customers', 'edit_customers', 'assign_customer_group'],
  ...['view_products', 'view_stock_levels', 'manage_stock', 'assign_source_to_product', 'toggle_ship_together'],
  'edit_dashboard',
  ...['view_reports', 'view_daily_summary', 'export_reports'],
  ...['view_users', 'manage_users', 'assign_roles', 'view_audit_log'],
  ...['access_settings', 'settings_view_all', 'settings_license', 'settings_scanner', 'settings_printers'],
  ...['settings_payment_terminal', 'settings_customer_display', 'settings_self_checkout', 'settings_appearance'],
  ...['open_cash_drawer', 'print_receipts', 'print_barcode_labels'],
  ...['hold_cart', 'recall_any_cart'],
] as const;

/** No longer offered, but older apps still read it: role data keeps it beside its successors. */
export const legacyPermissionKeys = ['configure_hardware'] as const;

const known: ReadonlySet<string> = new Set([...permissionKeys, ...legacyPermissionKeys]);

/**
 * Reads the JSON text of a role's permissions. Missing keys mean denied.
 *
 * @returns one sentence that says what is wrong, or undefined when it is a flat object of known keys and booleans
 */
export function permissionsFault(text: string): string | undefined {
  const permissions = parsed(text);
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions))
    return 'Permissions must be a JSON object of boolean keys, as a string.';
  const [unknownKey] = Object.keys(permissions).filter((key) => !known.has(key));
  if (unknownKey !== undefined) return `"${unknownKey.slice(0, 64)}" is not a permission.`;
  const wrong = Object.entries(permissions).find(([, value]) => typeof value !== 'boolean');
  return wrong && `The permission "${wrong[0]}" must be true or false.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

/** How long a wait follows how many wrong passcodes (spec 8, 3.5). Pure: the database counts and keeps the time. */

export const lockoutLadder = [
  { failures: 3, cooldownSeconds: 15 },
  { failures: 5, cooldownSeconds: 60 },
  { failures: 8, cooldownSeconds: 300 },
  { failures: 12, cooldownSeconds: 1_800 },
] as const;

/** Counted from the first failure (our choice); after that the count starts again, even during a cooldown. */
export const lockoutResetSeconds = 86_400;

/** The wait after so many failures: that of the highest step reached; 0 below the first. */
export const cooldownSeconds = (failures: number): number =>
  lockoutLadder.findLast((rung) => failures >= rung.failures)?.cooldownSeconds ?? 0;

/** bcrypt reads only 72 bytes: any further bytes would not count. */
export const maxPasscodeBytes = 72;

/** What may be hashed: not empty, no zero byte, no more bytes than bcrypt reads. */
export const isHashable = (passcode: string): boolean =>
  passcode.length > 0 && !passcode.includes('\0') && utf8Length(passcode) <= maxPasscodeBytes;

/** @returns half a sentence that says why a passcode cannot be kept, or undefined. */
export function passcodeFault(passcode: string): string | undefined {
  if (passcode === '') return 'the passcode is empty';
  if (passcode.includes('\0')) return 'the passcode has a zero byte';
  return isHashable(passcode) ? undefined : `the passcode is longer than ${maxPasscodeBytes} bytes`;
}

/**
 * When a passcode was changed, as registers compare it (spec 2.5). It always falls into a later second than the
 * change before, because registers get whole seconds.
 */
export function nextWatermark(previous: Date | undefined, now: Date): Date {
  if (!previous) return now;
  const nextSecond = (Math.floor(previous.getTime() / 1_000) + 1) * 1_000;
  return new Date(Math.max(now.getTime(), nextSecond));
}

/** Counted by hand because this layer has no `Buffer`; stops as soon as the text is too long. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > maxPasscodeBytes) break;
  }
  return bytes;
}

/** The longest permissions text of a role: ten times the length of all keys. */
export const maxPermissionsLength = 20_000;

/** The permitted values of a role's fields (spec 2.6). Absent fields have no fault. */
export interface RoleFields {
  name?: string | undefined;
  /** A JSON text; missing keys mean denied. */
  permissions?: string | undefined;
}

/** @returns a sentence that says what is wrong, or undefined. */
export function roleFault({ name, permissions }: RoleFields): string | undefined {
  if (name !== undefined && !name.trim()) return 'a role needs a name';
  if (permissions === undefined) return undefined;
  return permissions.length > maxPermissionsLength ? 'The permissions are too long.' : permissionsFault(permissions);
}

/** A staff code has five characters that are hard to mistake for one another (spec 2.5). */
export const staffCodeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const staffCodeLength = 5;

/** The permitted values of a staff member's own fields (spec 2.5). Absent fields have no fault. */
export interface StaffFields {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
}

/** @returns half a sentence that says what is wrong, or undefined. */
export function staffFault({ firstName, lastName, email }: StaffFields): string | undefined {
  if (firstName !== undefined && !firstName.trim()) return 'a first name is needed';
  if (lastName !== undefined && !lastName.trim()) return 'a last name is needed';
  if (email !== undefined && !isEmail(email.trim())) return 'the e-mail is not an address';
  return undefined;
}
