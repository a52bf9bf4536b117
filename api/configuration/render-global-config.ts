import { z } from 'zod';
import { codeLabels } from '../../domain/code-labels.ts';
import {
  enforcementFlags,
  enforcementPath,
  moduleVersion,
  type ShopSettings,
} from '../../domain/configuration/setting-defaults.ts';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { codesIn } from '../../providers/returns.ts';
import type { Capabilities } from '../wire/register/capabilities.ts';

export type GlobalConfig = z.input<typeof globalConfigAnswer>;
/** The fixed-tax attributes of the catalog, with their labels. */
export type FixedTaxAttributes = GlobalConfig['tax']['weee']['attributes'];

/**
 * The global config of spec 2.1, every key of it. It contains provider keys in clear text, only for the two config
 * routes.
 */
export const renderGlobalConfig = (
  settings: ShopSettings,
  capabilities: Capabilities,
  fixedTaxes: FixedTaxAttributes,
): GlobalConfig => ({
  module_version: moduleVersion,
  enabled: settings.flag('vendor_pos/general/enabled'),
  require_staff_login: settings.flag('vendor_pos/general/require_staff_login'),
  share_held_carts: settings.flag('vendor_pos/general/share_held_carts'),
  require_terminal_registration: settings.flag('vendor_pos/general/require_terminal_registration'),
  ...renderDefaults(settings, capabilities),
  card_payments: renderCardPayments(settings),
  walk_in_customer: renderWalkInCustomer(settings),
  telemetry: {
    enabled: settings.flag('vendor_pos_advanced/telemetry/enabled'),
    force_enabled: settings.flag('vendor_pos_advanced/telemetry/force_enabled'),
    upload_hour: settings.integer('vendor_pos_advanced/telemetry/upload_hour'),
  },
  tax: renderTax(settings, fixedTaxes),
  enforcement: Object.fromEntries(
    enforcementFlags.map((flag) => [flag, settings.flag(enforcementPath(flag)) ? '1' : '0']),
  ),
  payments: renderPayments(settings),
  credits: {
    store_credit_includes_tax: settings.flag('vendor_pos_terminal/credits/store_credit_includes_tax'),
    reward_points_includes_tax: settings.flag('vendor_pos_terminal/credits/reward_points_includes_tax'),
    gift_card_includes_tax: settings.flag('vendor_pos_terminal/credits/gift_card_includes_tax'),
    refund_to_store_credit: refundsToStoreCredit(settings, capabilities),
  },
  license: { connected: capabilities.isLicenseConnected },
  ...renderCapabilities(capabilities),
  ...renderCredits(settings, capabilities),
  ...renderReturns(settings, capabilities),
});

const renderDefaults = (settings: ShopSettings, { hasMsi }: Capabilities) => ({
  default_order_status: settings.text('vendor_pos_terminal/orders/default_status'),
  default_payment_methods: settings.text('vendor_pos_terminal/payments/methods'),
  default_allow_store_credit: settings.integer('vendor_pos_terminal/credits/allow_store_credit'),
  default_low_stock_threshold: settings.integer('vendor_pos_terminal/stock/low_stock_threshold'),
  default_use_msi: hasMsi && settings.flag('vendor_pos_terminal/stock/use_msi'),
  default_receipt_header: settings.text('vendor_pos_terminal/receipt/header'),
  default_receipt_footer: settings.text('vendor_pos_terminal/receipt/footer'),
  default_receipt_show_staff_name: settings.flag('vendor_pos_terminal/receipt/show_staff_name'),
  default_receipt_show_order_number: settings.flag('vendor_pos_terminal/receipt/show_order_number'),
  default_layaway_deposit_min_percent: settings.number('vendor_pos_terminal/layaway/deposit_min_percent'),
  default_layaway_expiry_days: settings.integer('vendor_pos_terminal/layaway/expiry_days'),
  default_layaway_cancellation_fee_percent: settings.number('vendor_pos_terminal/layaway/cancellation_fee_percent'),
  default_pickup_queue_filter: settings.text('vendor_pos_terminal/pickup/queue_filter'),
});

const renderCardPayments = (settings: ShopSettings) => ({
  provider: settings.text('vendor_pos_terminal/card_payments/provider'),
  provider_a: {
    enabled: settings.flag('vendor_pos_terminal/provider_a/enabled'),
    organisation_id: settings.text('vendor_pos_terminal/provider_a/organisation_id'),
    api_key: settings.text('vendor_pos_terminal/provider_a/api_key'),
    test_api_key: settings.text('vendor_pos_terminal/provider_a/test_api_key'),
    test_mode: settings.flag('vendor_pos_terminal/provider_a/test_mode'),
  },
  providers: {
    provider_b: {
      enabled: settings.flag('vendor_pos_terminal/provider_b/enabled'),
      token_code: settings.text('vendor_pos_terminal/provider_b/token_code'),
      api_token: settings.text('vendor_pos_terminal/provider_b/api_token'),
      service_id: settings.text('vendor_pos_terminal/provider_b/service_id'),
      test_mode: settings.flag('vendor_pos_terminal/provider_b/test_mode'),
      service_secret: settings.text('vendor_pos_terminal/provider_b/service_secret'),
    },
  },
});

const renderWalkInCustomer = (settings: ShopSettings) => ({
  first_name: settings.text('vendor_pos_terminal/customers/walk_in_first_name'),
  last_name: settings.text('vendor_pos_terminal/customers/walk_in_last_name'),
  email: settings.text('vendor_pos_terminal/customers/walk_in_email'),
  phone: settings.text('vendor_pos_terminal/customers/walk_in_phone'),
  street: settings.text('vendor_pos_terminal/customers/walk_in_street'),
  city: settings.text('vendor_pos_terminal/customers/walk_in_city'),
  region_id: settings.integer('vendor_pos_terminal/customers/walk_in_region_id'),
  postcode: settings.text('vendor_pos_terminal/customers/walk_in_postcode'),
  country_id: settings.text('vendor_pos_terminal/customers/walk_in_country_id'),
});

const renderTax = (settings: ShopSettings, fixedTaxes: FixedTaxAttributes) => ({
  price_includes_tax: settings.flag('tax/calculation/price_includes_tax'),
  apply_after_discount: settings.flag('tax/calculation/apply_after_discount'),
  discount_tax: settings.flag('tax/calculation/discount_tax'),
  display_type: settings.integer('tax/display/type'),
  cart_display_price: settings.integer('tax/cart_display/price'),
  cart_display_subtotal: settings.integer('tax/cart_display/subtotal'),
  sales_display_zero_tax: settings.flag('tax/sales_display/zero_tax'),
  cart_display_zero_tax: settings.flag('tax/cart_display/zero_tax'),
  calculation_algorithm: settings.text('tax/calculation/algorithm'),
  reverse_charge_enabled: settings.flag('vendor_pos_terminal/tax/reverse_charge_enabled'),
  tax_exempt_enabled: settings.flag('vendor_pos_terminal/tax/tax_exempt_enabled'),
  weee: renderWeee(settings, fixedTaxes),
});

const renderWeee = (settings: ShopSettings, fixedTaxes: FixedTaxAttributes) => {
  const enabled = settings.flag('tax/weee/enable');
  return {
    enabled,
    apply_vat: settings.flag('tax/weee/apply_vat'),
    include_in_subtotal: settings.flag('tax/weee/include_in_subtotal'),
    display_sales: settings.integer('tax/weee/display_sales'),
    display_product: settings.integer('tax/weee/display'),
    display_list: settings.integer('tax/weee/display_list'),
    attributes: enabled ? fixedTaxes : [],
  };
};

const renderPayments = (settings: ShopSettings) => ({
  pay_by_invoice_method: settings.text('vendor_pos_terminal/payments/pay_by_invoice_method'),
  pay_by_invoice_invoicing_mode: settings.text('vendor_pos_terminal/payments/pay_by_invoice_invoicing_mode'),
  credit_limits_enabled: settings.flag('vendor_pos_terminal/payments/credit_limits_enabled'),
  providers: {
    provider_a: { magento_method: settings.text('vendor_pos_terminal/provider_a/magento_method') },
    provider_b: { magento_method: settings.text('vendor_pos_terminal/provider_b/magento_method') },
  },
  available_terminal_payment_methods: codeLabels(settings.text('vendor_pos_terminal/payments/terminal_methods')),
  builtin_refunds_enabled: settings.flag('vendor_pos_terminal/payments/builtin_refunds_enabled'),
});

const renderCapabilities = (capabilities: Capabilities) => ({
  has_wishlist: capabilities.hasWishlist,
  has_msi: capabilities.hasMsi,
  shipping_label_providers: [],
});

/** Every provider, and whether it is enabled here; a kind exists when a provider has it. */
const renderCredits = (settings: ShopSettings, { credits }: Capabilities) => {
  const enabled = credits.enabled(settings);
  const has = (kind: CreditKind) => enabled.some((provider) => provider.kind === kind);
  return {
    has_credit_providers: enabled.length > 0,
    has_customer_balance: has('store_credit'),
    has_gift_card: has('gift_card'),
    has_reward_points: has('reward_points'),
    credit_providers: credits.all.map((provider) => ({
      key: provider.code,
      code: provider.code,
      enabled: enabled.includes(provider),
      label: provider.label,
    })),
  };
};

/** The active provider's answer; false without one, or when it has no answer (spec 2.1). */
function refundsToStoreCredit(settings: ShopSettings, { credits }: Capabilities): boolean {
  try {
    return credits.active('store_credit', settings)?.takesRefunds(settings) === true;
  } catch {
    return false;
  }
}

/** The first enabled provider runs the store's returns; without one there is no returns module. */
const renderReturns = (settings: ShopSettings, { rmaProviders }: Capabilities) => {
  const enabled = codesIn(settings.text('vendor_pos_terminal/returns/providers'));
  const rows = rmaProviders.map(({ code, label }) => ({ key: code, code, enabled: enabled.includes(code), label }));
  return {
    has_rma_providers: rows.length > 0,
    has_rma_module: rows.some((row) => row.enabled),
    rma_providers: rows,
  };
};

const text = z.string();
const flag = z.boolean();
const whole = z.int();
const codeLabel = z.object({ code: text, label: text });
const provider = z.object({ key: text, code: text, enabled: flag, label: text });

const cardPayments = z.object({
  provider: text,
  provider_a: z.object({
    enabled: flag,
    organisation_id: text,
    api_key: text,
    test_api_key: text,
    test_mode: flag,
  }),
  providers: z.object({
    provider_b: z.object({
      enabled: flag,
      token_code: text,
      api_token: text,
      service_id: text,
      test_mode: flag,
      service_secret: text,
    }),
  }),
});

const walkInCustomer = z.object({
  first_name: text,
  last_name: text,
  email: text,
  phone: text,
  street: text,
  city: text,
  region_id: whole,
  postcode: text,
  country_id: text,
});

const tax = z.object({
  price_includes_tax: flag,
  apply_after_discount: flag,
  discount_tax: flag,
  display_type: whole,
  cart_display_price: whole,
  cart_display_subtotal: whole,
  sales_display_zero_tax: flag,
  cart_display_zero_tax: flag,
  calculation_algorithm: text,
  reverse_charge_enabled: flag,
  tax_exempt_enabled: flag,
  weee: z.object({
    enabled: flag,
    apply_vat: flag,
    include_in_subtotal: flag,
    display_sales: whole,
    display_product: whole,
    display_list: whole,
    attributes: z.array(codeLabel),
  }),
});

const payments = z.object({
  pay_by_invoice_method: text,
  pay_by_invoice_invoicing_mode: text,
  credit_limits_enabled: flag,
  providers: z.record(z.string(), z.object({ magento_method: text })),
  available_terminal_payment_methods: z.array(codeLabel),
  builtin_refunds_enabled: flag,
});

/** The global config, every key of spec 2.1. */
export const globalConfigAnswer = z
  .strictObject({
    module_version: text,
    enabled: flag,
    require_staff_login: flag,
    share_held_carts: flag,
    require_terminal_registration: flag,
    default_order_status: text,
    default_payment_methods: text,
    default_allow_store_credit: whole,
    default_low_stock_threshold: whole,
    default_use_msi: flag,
    default_receipt_header: text,
    default_receipt_footer: text,
    default_receipt_show_staff_name: flag,
    default_receipt_show_order_number: flag,
    default_layaway_deposit_min_percent: z.number(),
    default_layaway_expiry_days: whole,
    default_layaway_cancellation_fee_percent: z.number(),
    default_pickup_queue_filter: text,
    card_payments: cardPayments,
    walk_in_customer: walkInCustomer,
    telemetry: z.object({ enabled: flag, force_enabled: flag, upload_hour: whole }),
    tax,
    enforcement: z.partialRecord(z.enum(enforcementFlags), z.enum(['0', '1'])),
    payments,
    credits: z.object({
      store_credit_includes_tax: flag,
      reward_points_includes_tax: flag,
      gift_card_includes_tax: flag,
      refund_to_store_credit: flag,
    }),
    license: z.object({ connected: flag }),
    has_credit_providers: flag,
    has_rma_providers: flag,
    has_wishlist: flag,
    has_customer_balance: flag,
    has_gift_card: flag,
    has_reward_points: flag,
    has_rma_module: flag,
    has_msi: flag,
    shipping_label_providers: z.array(z.unknown()),
    credit_providers: z.array(provider),
    rma_providers: z.array(provider),
  })
  .meta({ id: 'GlobalConfig' });
