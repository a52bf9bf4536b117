import type { EnforcementFlag } from './enforcement.ts';
import type { SettingPath } from './setting-defaults.ts';

export type Kind = 'text' | 'flag' | 'integer' | 'number';

export interface Resolvable {
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

/** The flat keys of `resolved_config` (spec 2.2): those of the spec's location list, and what each lock of 3.6 locks. */
export const resolvables = {
  ...payments,
  ...providers,
  ...stock,
  ...receipt,
  ...sale,
  ...walkInCustomer,
} as const satisfies Readonly<Record<string, Resolvable>>;
