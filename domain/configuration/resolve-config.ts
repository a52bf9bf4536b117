import { enforcementPath, type EnforcementFlag } from './enforcement.ts';
import type { SettingPath } from './setting-defaults.ts';
import type { ShopSettings } from './shop-settings.ts';

type Kind = 'text' | 'flag' | 'integer' | 'number';
type Value = string | number | boolean | null;

/** Settings of one register or one location, by the keys of the resolved config; null and absent inherit. */
export type Overrides = Readonly<Record<string, unknown>>;

interface Resolvable {
  kind: Kind;
  path: SettingPath;
  /** The lock that makes the shop's value win over the location's and the terminal's (spec 3.6). */
  lock?: EnforcementFlag;
}

/** The flat keys of `resolved_config` (spec 2.2): those of the spec's location and lock lists that have a setting. */
export const resolvables: Readonly<Record<string, Resolvable>> = {
  order_status: { kind: 'text', path: 'vendor_pos_terminal/orders/default_status' },
  payment_methods: { kind: 'text', path: 'vendor_pos_terminal/payments/methods', lock: 'payment_methods' },
  card_payment_provider: {
    kind: 'text',
    path: 'vendor_pos_terminal/card_payments/provider',
    lock: 'card_payment_provider',
  },
  provider_a_magento_method: {
    kind: 'text',
    path: 'vendor_pos_terminal/provider_a/magento_method',
    lock: 'provider_a_magento_method',
  },
  provider_b_magento_method: {
    kind: 'text',
    path: 'vendor_pos_terminal/provider_b/magento_method',
    lock: 'provider_b_magento_method',
  },
  pay_by_invoice_method: {
    kind: 'text',
    path: 'vendor_pos_terminal/payments/pay_by_invoice_method',
    lock: 'pay_by_invoice_method',
  },
  pay_by_invoice_invoicing_mode: {
    kind: 'text',
    path: 'vendor_pos_terminal/payments/pay_by_invoice_invoicing_mode',
    lock: 'pay_by_invoice_invoicing_mode',
  },
  cash_rounding_increment: {
    kind: 'text',
    path: 'vendor_pos_terminal/payments/cash_rounding_increment',
    lock: 'cash_rounding_increment',
  },
  allow_store_credit: {
    kind: 'integer',
    path: 'vendor_pos_terminal/credits/allow_store_credit',
    lock: 'allow_store_credit',
  },
  low_stock_threshold: {
    kind: 'integer',
    path: 'vendor_pos_terminal/stock/low_stock_threshold',
    lock: 'low_stock_threshold',
  },
  use_msi: { kind: 'flag', path: 'vendor_pos_terminal/stock/use_msi', lock: 'use_msi' },
  share_held_carts: { kind: 'flag', path: 'vendor_pos/general/share_held_carts', lock: 'held_carts' },
  receipt_header: { kind: 'text', path: 'vendor_pos_terminal/receipt/header', lock: 'receipt_header' },
  receipt_footer: { kind: 'text', path: 'vendor_pos_terminal/receipt/footer', lock: 'receipt_footer' },
  receipt_show_staff_name: {
    kind: 'flag',
    path: 'vendor_pos_terminal/receipt/show_staff_name',
    lock: 'receipt_show_staff_name',
  },
  receipt_show_order_number: {
    kind: 'flag',
    path: 'vendor_pos_terminal/receipt/show_order_number',
    lock: 'receipt_show_order_number',
  },
  receipt_logo_size: { kind: 'integer', path: 'vendor_pos_terminal/receipt/logo_size' },
  receipt_store_info_placement: { kind: 'text', path: 'vendor_pos_terminal/receipt/store_info_placement' },
  vat_number: { kind: 'text', path: 'general/store_information/merchant_vat_number', lock: 'store_details' },
  layaway_deposit_min_percent: { kind: 'number', path: 'vendor_pos_terminal/layaway/deposit_min_percent' },
  layaway_expiry_days: { kind: 'integer', path: 'vendor_pos_terminal/layaway/expiry_days' },
  layaway_cancellation_fee_percent: { kind: 'number', path: 'vendor_pos_terminal/layaway/cancellation_fee_percent' },
  pickup_queue_filter: { kind: 'text', path: 'vendor_pos_terminal/pickup/queue_filter', lock: 'pickup_queue_filter' },
  pickup_completed_status_code: { kind: 'text', path: 'vendor_pos_terminal/pickup/completed_status_code' },
};

/**
 * What holds at one register: its own value over its location's over the shop's; a locked setting is the shop's
 * (spec 2.2, 3.6). `use_msi` is false whatever anybody set where the shop has no multi-source inventory (spec 2.1).
 */
export function resolveConfig(given: {
  settings: ShopSettings;
  location: Overrides;
  terminal: Overrides;
  hasMsi: boolean;
}): Record<string, Value> {
  const { settings, location, terminal, hasMsi } = given;
  const resolved = Object.entries(resolvables).map(([key, { kind, path, lock }]) => {
    const isLocked = lock !== undefined && settings.flag(enforcementPath(lock));
    const own = isLocked ? undefined : (readAs(kind, terminal[key]) ?? readAs(kind, location[key]));
    return [key, own ?? settings[kind](path)] as const;
  });
  const flat: Record<string, Value> = Object.fromEntries(resolved);
  return hasMsi ? flat : { ...flat, use_msi: false };
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** An override of the kind the key has; undefined when it inherits or is of no use. */
function readAs(kind: Kind, value: unknown): Value | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  if (kind === 'text') return typeof value === 'boolean' ? undefined : String(value);
  const word = String(value).trim();
  if (kind === 'flag') return flags.get(word);
  const number = word === '' ? Number.NaN : Number(word);
  if (!Number.isFinite(number)) return undefined;
  return kind === 'integer' ? Math.trunc(number) : number;
}
