import { codeLabels } from '../code-labels.ts';
import { groupLimits } from '../credit-limits.ts';
import { guestCartPath } from '../platform/carts/shop-choices.ts';
import { findCountry } from '../platform/directory.ts';
import { oneTimeCodePaths } from '../self-checkout.ts';
import { builtInSetting } from './meaning-of-setting.ts';
import { enforcementPath, type EnforcementFlag, type SettingPath, type ShopSettings } from './setting-defaults.ts';

type Kind = 'text' | 'flag' | 'integer' | 'number';

interface Resolvable {
  kind: Kind;
  path: SettingPath;
  /** The lock that makes the shop's value win over the location's and the terminal's (spec 3.6). */
  lock?: EnforcementFlag;
}

const of =
  (kind: Kind) =>
  (path: SettingPath, lock?: EnforcementFlag): Resolvable => ({ kind, path, ...(lock === undefined ? {} : { lock }) });

const text = of('text');
const flag = of('flag');
const integer = of('integer');
const number = of('number');

const payments = {
  order_status: text('vendor_pos_terminal/orders/default_status'),
  payment_methods: text('vendor_pos_terminal/payments/methods', 'payment_methods'),
  card_payment_provider: text('vendor_pos_terminal/card_payments/provider', 'card_payment_provider'),
  provider_a_magento_method: text('vendor_pos_terminal/provider_a/magento_method', 'provider_a_magento_method'),
  provider_b_magento_method: text('vendor_pos_terminal/provider_b/magento_method', 'provider_b_magento_method'),
  pay_by_invoice_method: text('vendor_pos_terminal/payments/pay_by_invoice_method', 'pay_by_invoice_method'),
  pay_by_invoice_invoicing_mode: text(
    'vendor_pos_terminal/payments/pay_by_invoice_invoicing_mode',
    'pay_by_invoice_invoicing_mode',
  ),
  cash_rounding_increment: text('vendor_pos_terminal/payments/cash_rounding_increment', 'cash_rounding_increment'),
  allow_store_credit: integer('vendor_pos_terminal/credits/allow_store_credit', 'allow_store_credit'),
} as const;

/**
 * Which account a terminal belongs to. Its keys stay in `card_payments`, sealed at rest: a location or terminal has
 * no keys of its own.
 */
const providers = {
  provider_a_organisation_id: text('vendor_pos_terminal/provider_a/organisation_id', 'provider_a_config'),
  provider_a_test_mode: flag('vendor_pos_terminal/provider_a/test_mode', 'provider_a_config'),
  provider_b_token_code: text('vendor_pos_terminal/provider_b/token_code', 'provider_b_config'),
  provider_b_service_id: text('vendor_pos_terminal/provider_b/service_id', 'provider_b_config'),
  provider_b_test_mode: flag('vendor_pos_terminal/provider_b/test_mode', 'provider_b_config'),
} as const;

const stock = {
  low_stock_threshold: integer('vendor_pos_terminal/stock/low_stock_threshold', 'low_stock_threshold'),
  use_msi: flag('vendor_pos_terminal/stock/use_msi', 'use_msi'),
  share_held_carts: flag('vendor_pos/general/share_held_carts', 'held_carts'),
  require_open_session: flag('vendor_pos/general/require_open_session', 'require_open_session'),
} as const;

const receipt = {
  receipt_header: text('vendor_pos_terminal/receipt/header', 'receipt_header'),
  receipt_footer: text('vendor_pos_terminal/receipt/footer', 'receipt_footer'),
  receipt_show_staff_name: flag('vendor_pos_terminal/receipt/show_staff_name', 'receipt_show_staff_name'),
  receipt_show_order_number: flag('vendor_pos_terminal/receipt/show_order_number', 'receipt_show_order_number'),
  receipt_show_receipt_number: flag('vendor_pos_terminal/receipt/show_receipt_number', 'receipt_show_receipt_number'),
  receipt_show_sale_reference: flag('vendor_pos_terminal/receipt/show_sale_reference', 'receipt_show_sale_reference'),
  receipt_qr_text: text('vendor_pos_terminal/receipt/qr_text', 'receipt_qr'),
  receipt_qr_url: text('vendor_pos_terminal/receipt/qr_url', 'receipt_qr'),
  auto_print: text('vendor_pos_terminal/receipt/auto_print', 'auto_print'),
  receipt_logo_size: integer('vendor_pos_terminal/receipt/logo_size'),
  receipt_store_info_placement: text('vendor_pos_terminal/receipt/store_info_placement'),
  vat_number: text('general/store_information/merchant_vat_number', 'store_details'),
} as const;

const sale = {
  layaway_deposit_min_percent: number('vendor_pos_terminal/layaway/deposit_min_percent'),
  layaway_expiry_days: integer('vendor_pos_terminal/layaway/expiry_days'),
  layaway_cancellation_fee_percent: number('vendor_pos_terminal/layaway/cancellation_fee_percent'),
  pickup_queue_filter: text('vendor_pos_terminal/pickup/queue_filter', 'pickup_queue_filter'),
  pickup_completed_status_code: text('vendor_pos_terminal/pickup/completed_status_code'),
  /** How many days the server itself accepts returns; 0: no limit. */
  refund_validity: integer('vendor_pos_advanced/returns/period_days', 'refund_validity'),
  reverse_charge_enabled: flag('vendor_pos_terminal/tax/reverse_charge_enabled', 'tax_settings'),
  tax_exempt_enabled: flag('vendor_pos_terminal/tax/tax_exempt_enabled', 'tax_settings'),
  custom_sale_sku: text('vendor_pos_terminal/catalog/custom_sale_sku', 'custom_sale_sku'),
  categories: text('vendor_pos_terminal/catalog/categories', 'categories'),
  promo_attribute_lookup: flag('vendor_pos_terminal/catalog/promo_attribute_lookup', 'promo_attribute_lookup'),
  customer_prices: text('vendor_pos_terminal/customers/customer_prices', 'customer_prices'),
} as const;

const walkInCustomer = {
  walk_in_first_name: text('vendor_pos_terminal/customers/walk_in_first_name', 'walk_in_customer'),
  walk_in_last_name: text('vendor_pos_terminal/customers/walk_in_last_name', 'walk_in_customer'),
  walk_in_email: text('vendor_pos_terminal/customers/walk_in_email', 'walk_in_customer'),
  walk_in_phone: text('vendor_pos_terminal/customers/walk_in_phone', 'walk_in_customer'),
  walk_in_street: text('vendor_pos_terminal/customers/walk_in_street', 'walk_in_customer'),
  walk_in_city: text('vendor_pos_terminal/customers/walk_in_city', 'walk_in_customer'),
  walk_in_region_id: integer('vendor_pos_terminal/customers/walk_in_region_id', 'walk_in_customer'),
  walk_in_postcode: text('vendor_pos_terminal/customers/walk_in_postcode', 'walk_in_customer'),
  walk_in_country_id: text('vendor_pos_terminal/customers/walk_in_country_id', 'walk_in_customer'),
} as const;

/**
 * The flat keys of `resolved_config` (spec 2.2): those of the spec's location list, and what each lock of 3.6 locks.
 */
export const resolvables = {
  ...payments,
  ...providers,
  ...stock,
  ...receipt,
  ...sale,
  ...walkInCustomer,
} as const satisfies Readonly<Record<string, Resolvable>>;

type Value = string | number | boolean | null;

/** Settings of one register or one location, by the keys of the resolved config; null and absent inherit. */
export type Overrides = Readonly<Record<string, unknown>>;

/**
 * The settings of one register. Its own value wins over its location's, and that over the shop's; a locked setting is
 * always the shop's (spec 2.2, 3.6). `use_msi` is always false where the shop has no multi-source inventory (spec
 * 2.1).
 */
export function resolveConfig(input: Resolving & { hasMsi: boolean }): Record<string, Value> {
  const resolved = resolvableKeys.map((key) => [key, resolveKey(key, input)] as const);
  const flat: Record<string, Value> = Object.fromEntries(resolved);
  return input.hasMsi ? flat : { ...flat, use_msi: false };
}

/** Whose values a setting is resolved from. */
export interface Resolving {
  settings: ShopSettings;
  location: Overrides;
  terminal: Overrides;
}

export type ResolvableKey = keyof typeof resolvables;

const resolvableKeys = Object.keys(resolvables) as ResolvableKey[];

/** One key of the resolved config, for callers that need only a few. */
export function resolveKey(key: ResolvableKey, { settings, location, terminal }: Resolving): Value {
  const { kind, path, lock }: Resolvable = resolvables[key];
  const isLocked = lock !== undefined && settings.flag(enforcementPath(lock));
  const own = isLocked ? undefined : (readAs(kind, terminal[key]) ?? readAs(kind, location[key]));
  return own ?? settings[kind](path);
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** An override of the kind that the key takes; undefined when it inherits or cannot be read. */
export function readAs(kind: Kind, value: unknown): Value | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  if (kind === 'text') return typeof value === 'boolean' ? undefined : String(value);
  const word = String(value).trim();
  if (kind === 'flag') return flags.get(word);
  const number = word === '' ? Number.NaN : Number(word);
  if (!Number.isFinite(number)) return undefined;
  return kind === 'integer' ? Math.trunc(number) : number;
}

/** A rule for the values of a setting. */
interface Rule {
  fits: (value: string) => boolean;
  /** The end of a sentence that begins with "takes". */
  allowed: string;
}

const endless = 1_000_000_000;

/** The empty text is read as zero, here and on the platform. */
function between(least: number, most: number, { isWhole }: { isWhole: boolean }): Rule {
  const pattern = isWhole ? /^\d*$/ : /^\d*(?:\.\d+)?$/;
  const bounds = most === endless ? `of ${least} or more` : `from ${least} to ${most}`;
  return {
    fits: (value) => pattern.test(value.trim()) && Number(value) >= least && Number(value) <= most,
    allowed: `a ${isWhole ? 'whole ' : ''}number ${bounds}`,
  };
}

const whole = (least: number, most = endless) => between(least, most, { isWhole: true });
const decimal = (least: number, most = endless) => between(least, most, { isWhole: false });
const oneOf = (...words: string[]): Rule => ({
  fits: (value) => words.includes(value),
  allowed: words.join(', ').replace(/, ([^,]*)$/, ' or $1'),
});
const settingRulesFlag: Rule = {
  fits: (value) => /^(?:|0|1|true|false)$/.test(value.trim()),
  allowed: '1 for yes or 0 for no',
};
const country: Rule = {
  fits: (value) => value === '' || findCountry(value) !== undefined,
  allowed: 'the two capital letters of a country',
};

/** A number of days that cannot be read would count as no window at all. */
const periods: Rule = {
  fits: (value) =>
    codeLabels(value).every(({ code, label }) => code !== '' && code !== label && /^\d{1,9}$/.test(label)),
  allowed: 'resolutions with their whole days, such as Refund:14,Exchange:60',
};
/** Windows have a setting of their own. */
const names: Rule = {
  fits: (value) => !value.includes(':'),
  allowed: 'resolutions by name, such as Refund,Exchange',
};

const limitsOfGroups: Rule = {
  fits: (value) => groupLimits(value) !== undefined,
  allowed: 'customer groups by id with their limits, such as 2:5000,3:1000',
};

/** The logo is named by its digest, which people never type. */
const logo: Rule = {
  fits: (value) => /^(?:[0-9a-f]{64})?$/.test(value.trim()),
  allowed: 'what npm run pos -- receipt logo FILE gives it',
};

/** An address of the web that a browser can open; `%1` is filled in when it is used. */
export const isWebAddress = (value: string): boolean =>
  /^https?:\/\/[^\s\p{Cc}]+$/u.test(value) && URL.canParse(value.replaceAll('%1', '1'));

const webAddress: Rule = {
  fits: (value) => value.trim() === '' || isWebAddress(value.trim()),
  allowed: 'an address that begins with http:// or https://',
};

const addresses = [
  ...['a', 'b', 'c'].flatMap((provider) => [
    `vendor_pos_advanced/ops/portal_provider_${provider}`,
    `vendor_pos_terminal/provider_${provider}/base_url`,
  ]),
  ...['web/secure/base_url', 'web/unsecure/base_url'],
];

const rules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(addresses.map((path) => [path, webAddress])),
  'vendor_pos_terminal/payments/cash_rounding_increment': decimal(0),
  'vendor_pos/closing/force_after_hours': whole(0, 168),
  'vendor_pos/closing/counts_allowed': whole(1, 20),
  'vendor_pos/closing/recount_above': decimal(0),
  'vendor_pos/closing/approve_above': decimal(0),
  'vendor_pos_terminal/stock/low_stock_threshold': whole(0),
  'vendor_pos_terminal/receipt/logo_size': whole(0),
  'vendor_pos_terminal/receipt/logo': logo,
  'vendor_pos_terminal/layaway/deposit_min_percent': decimal(0, 100),
  'vendor_pos_terminal/layaway/expiry_days': whole(0),
  'vendor_pos_terminal/layaway/cancellation_fee_percent': decimal(0, 100),
  'vendor_pos_terminal/credits/allow_store_credit': whole(0),
  'vendor_pos/gift_card/refund_validity_days': whole(1, 36_500),
  'vendor_pos_terminal/customers/customer_prices': oneOf('off', 'cart', 'browsing'),
  'vendor_pos_terminal/customers/walk_in_region_id': whole(0),
  'vendor_pos_terminal/customers/walk_in_country_id': country,
  'vendor_reward_points/earning/points_per_currency_unit': decimal(0),
  'vendor_reward_points/spending/currency_per_point': decimal(0),
  'vendor_reward_points/spending/granularity': whole(1),
  'vendor_reward_points/spending/minimum_points': whole(0),
  'vendor_reward_points/spending/applies_as': oneOf('tender', 'discount'),
  'vendor_pos_advanced/credit_limits/groups': limitsOfGroups,
  'vendor_pos_advanced/returns/period_days': whole(0),
  'vendor_pos_advanced/returns/resolutions': names,
  'vendor_pos_advanced/returns/resolution_periods': periods,
  'vendor_pos_advanced/returns/final_sale_percent': decimal(0, 100),
  'vendor_pos_advanced/ops/two_people_above': decimal(0),
  'vendor_pos_advanced/customers/minimum_age': whole(0, 150),
  'vendor_pos_advanced/telemetry/upload_hour': whole(0, 23),
  'vendor_pos_advanced/telemetry/retention_days': whole(1, 3_650),
  'vendor_cms/versions/kept': whole(1, 10_000),
  [guestCartPath]: whole(1, 3_650),
  // A value out of bounds counts as the nearest bound.
  ...Object.fromEntries(oneTimeCodePaths.map((path) => [path, whole(0)])),
  'tax/calculation/algorithm': oneOf('UNIT_BASE_CALCULATION', 'ROW_BASE_CALCULATION', 'TOTAL_BASE_CALCULATION'),
  'tax/display/type': whole(1, 3),
  'tax/cart_display/price': whole(1, 3),
  'tax/cart_display/subtotal': whole(1, 3),
  'tax/weee/display_sales': whole(0, 3),
  'tax/weee/display': whole(0, 3),
  'tax/weee/display_list': whole(0, 3),
  'general/store_information/country_id': country,
  'general/store_information/region_id': whole(0),
  'carriers/flatrate/price': decimal(0),
  'carriers/flatrate/type': oneOf('I', 'O'),
  'carriers/freeshipping/free_shipping_subtotal': decimal(0),
  'carriers/instore/price': decimal(0),
  'cataloginventory/item_options/backorders': oneOf('0', '1', '2'),
  'cataloginventory/item_options/min_sale_qty': decimal(0, 99_999_999),
  'cataloginventory/item_options/max_sale_qty': decimal(0, 99_999_999),
  'cataloginventory/item_options/qty_increments': decimal(0, 99_999_999),
};

/** Every other setting whose default is 1 or 0 is a yes or a no. */
const isFlag = (path: string) => ['0', '1'].includes(builtInSetting(path) ?? '');

const ruleOf = (path: string) =>
  Object.hasOwn(rules, path) ? rules[path] : isFlag(path) ? settingRulesFlag : undefined;

/**
 * The values that a setting takes, in words; undefined where this value is one of them, or where the setting takes
 * any text.
 */
export function allowedInstead(path: string, value: string): string | undefined {
  const rule = ruleOf(path);
  return rule === undefined || rule.fits(value) ? undefined : rule.allowed;
}

/** The longest text an override takes; the same limit as for a receipt's header. */
const longestText = 10_000;

const words = { text: 'a text', flag: 'true or false', integer: 'a whole number', number: 'a number' } as const;

const settings: ReadonlyMap<string, Resolvable> = new Map(Object.entries(resolvables));

/**
 * What is wrong with the settings of one terminal or location (spec 2.2), as half a sentence; undefined when they are
 * right. Null inherits. An unknown key or an unreadable value is refused, because such a setting would never apply.
 */
export function overrideFault(overrides: Overrides): string | undefined {
  for (const [key, value] of Object.entries(overrides)) {
    const setting = settings.get(key);
    if (!setting) return `"${key.slice(0, 64)}" is not a setting of config_overrides`;
    if (value === null) continue;
    const read = readAs(setting.kind, value);
    if (read === undefined) return `"${key}" of config_overrides takes ${words[setting.kind]}`;
    const instead = allowedInstead(setting.path, String(read));
    if (instead !== undefined) return `"${key}" of config_overrides takes ${instead}`;
    if (typeof read === 'string' && read.length > longestText)
      return `"${key}" of config_overrides takes at most ${longestText} characters`;
  }
  return undefined;
}
