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
import { always, derived, fieldsOf, within } from '../wire/fields.ts';
import type { Capabilities } from '../wire/register/capabilities.ts';

const codeLabel = z.object({ code: z.string(), label: z.string() });
const provider = z.object({ key: z.string(), code: z.string(), enabled: z.boolean(), label: z.string() });

/** The fixed-tax attributes of the catalog, with their labels. */
export type FixedTaxAttributes = z.input<typeof codeLabel>[];

interface Shop {
  settings: ShopSettings;
  capabilities: Capabilities;
  fixedTaxes: FixedTaxAttributes;
  enabledCredits: ReturnType<Capabilities['credits']['enabled']>;
  returnProviders: z.input<typeof provider>[];
}

type Path = Parameters<ShopSettings['text']>[0];

/** The value of a setting. */
const text = (path: Path) => derived(({ settings }: Shop) => settings.text(path), z.string());
const flag = (path: Path) => derived(({ settings }: Shop) => settings.flag(path), z.boolean());
const integer = (path: Path) => derived(({ settings }: Shop) => settings.integer(path), z.int());
const number = (path: Path) => derived(({ settings }: Shop) => settings.number(path), z.number());
const labels = (path: Path) => derived(({ settings }: Shop) => codeLabels(settings.text(path)), z.array(codeLabel));
const is = (isSo: (shop: Shop) => boolean) => derived(isSo, z.boolean());
const has = (kind: CreditKind) => is(({ enabledCredits }) => enabledCredits.some((one) => one.kind === kind));

const cardPayments = within({
  provider: text('vendor_pos_terminal/card_payments/provider'),
  provider_a: within({
    enabled: flag('vendor_pos_terminal/provider_a/enabled'),
    organisation_id: text('vendor_pos_terminal/provider_a/organisation_id'),
    api_key: text('vendor_pos_terminal/provider_a/api_key'),
    test_api_key: text('vendor_pos_terminal/provider_a/test_api_key'),
    test_mode: flag('vendor_pos_terminal/provider_a/test_mode'),
  }),
  providers: within({
    provider_b: within({
      enabled: flag('vendor_pos_terminal/provider_b/enabled'),
      token_code: text('vendor_pos_terminal/provider_b/token_code'),
      api_token: text('vendor_pos_terminal/provider_b/api_token'),
      service_id: text('vendor_pos_terminal/provider_b/service_id'),
      test_mode: flag('vendor_pos_terminal/provider_b/test_mode'),
      service_secret: text('vendor_pos_terminal/provider_b/service_secret'),
    }),
  }),
});

const walkInCustomer = within({
  first_name: text('vendor_pos_terminal/customers/walk_in_first_name'),
  last_name: text('vendor_pos_terminal/customers/walk_in_last_name'),
  email: text('vendor_pos_terminal/customers/walk_in_email'),
  phone: text('vendor_pos_terminal/customers/walk_in_phone'),
  street: text('vendor_pos_terminal/customers/walk_in_street'),
  city: text('vendor_pos_terminal/customers/walk_in_city'),
  region_id: integer('vendor_pos_terminal/customers/walk_in_region_id'),
  postcode: text('vendor_pos_terminal/customers/walk_in_postcode'),
  country_id: text('vendor_pos_terminal/customers/walk_in_country_id'),
});

const tax = within({
  price_includes_tax: flag('tax/calculation/price_includes_tax'),
  apply_after_discount: flag('tax/calculation/apply_after_discount'),
  discount_tax: flag('tax/calculation/discount_tax'),
  display_type: integer('tax/display/type'),
  cart_display_price: integer('tax/cart_display/price'),
  cart_display_subtotal: integer('tax/cart_display/subtotal'),
  sales_display_zero_tax: flag('tax/sales_display/zero_tax'),
  cart_display_zero_tax: flag('tax/cart_display/zero_tax'),
  calculation_algorithm: text('tax/calculation/algorithm'),
  reverse_charge_enabled: flag('vendor_pos_terminal/tax/reverse_charge_enabled'),
  tax_exempt_enabled: flag('vendor_pos_terminal/tax/tax_exempt_enabled'),
  weee: within({
    enabled: flag('tax/weee/enable'),
    apply_vat: flag('tax/weee/apply_vat'),
    include_in_subtotal: flag('tax/weee/include_in_subtotal'),
    display_sales: integer('tax/weee/display_sales'),
    display_product: integer('tax/weee/display'),
    display_list: integer('tax/weee/display_list'),
    attributes: derived(
      ({ settings, fixedTaxes }: Shop) => (settings.flag('tax/weee/enable') ? fixedTaxes : []),
      z.array(codeLabel),
    ),
  }),
});

const payments = within({
  pay_by_invoice_method: text('vendor_pos_terminal/payments/pay_by_invoice_method'),
  pay_by_invoice_invoicing_mode: text('vendor_pos_terminal/payments/pay_by_invoice_invoicing_mode'),
  credit_limits_enabled: flag('vendor_pos_terminal/payments/credit_limits_enabled'),
  providers: derived(
    ({ settings }: Shop) => ({
      provider_a: { magento_method: settings.text('vendor_pos_terminal/provider_a/magento_method') },
      provider_b: { magento_method: settings.text('vendor_pos_terminal/provider_b/magento_method') },
    }),
    z.record(z.string(), z.object({ magento_method: z.string() })),
  ),
  available_terminal_payment_methods: labels('vendor_pos_terminal/payments/terminal_methods'),
  builtin_refunds_enabled: flag('vendor_pos_terminal/payments/builtin_refunds_enabled'),
});

const config = fieldsOf({
  module_version: always(moduleVersion, z.string()),
  enabled: flag('vendor_pos/general/enabled'),
  require_staff_login: flag('vendor_pos/general/require_staff_login'),
  share_held_carts: flag('vendor_pos/general/share_held_carts'),
  require_terminal_registration: flag('vendor_pos/general/require_terminal_registration'),
  default_order_status: text('vendor_pos_terminal/orders/default_status'),
  default_payment_methods: text('vendor_pos_terminal/payments/methods'),
  default_allow_store_credit: integer('vendor_pos_terminal/credits/allow_store_credit'),
  default_low_stock_threshold: integer('vendor_pos_terminal/stock/low_stock_threshold'),
  default_use_msi: is(
    ({ settings, capabilities }) => capabilities.hasMsi && settings.flag('vendor_pos_terminal/stock/use_msi'),
  ),
  default_receipt_header: text('vendor_pos_terminal/receipt/header'),
  default_receipt_footer: text('vendor_pos_terminal/receipt/footer'),
  default_receipt_show_staff_name: flag('vendor_pos_terminal/receipt/show_staff_name'),
  default_receipt_show_order_number: flag('vendor_pos_terminal/receipt/show_order_number'),
  default_layaway_deposit_min_percent: number('vendor_pos_terminal/layaway/deposit_min_percent'),
  default_layaway_expiry_days: integer('vendor_pos_terminal/layaway/expiry_days'),
  default_layaway_cancellation_fee_percent: number('vendor_pos_terminal/layaway/cancellation_fee_percent'),
  default_pickup_queue_filter: text('vendor_pos_terminal/pickup/queue_filter'),
  card_payments: cardPayments,
  walk_in_customer: walkInCustomer,
  telemetry: within({
    enabled: flag('vendor_pos_advanced/telemetry/enabled'),
    force_enabled: flag('vendor_pos_advanced/telemetry/force_enabled'),
    upload_hour: integer('vendor_pos_advanced/telemetry/upload_hour'),
  }),
  tax,
  enforcement: derived(
    ({ settings }: Shop) =>
      Object.fromEntries(enforcementFlags.map((one) => [one, settings.flag(enforcementPath(one)) ? '1' : '0'])),
    z.partialRecord(z.enum(enforcementFlags), z.enum(['0', '1'])),
  ),
  payments,
  credits: within({
    store_credit_includes_tax: flag('vendor_pos_terminal/credits/store_credit_includes_tax'),
    reward_points_includes_tax: flag('vendor_pos_terminal/credits/reward_points_includes_tax'),
    gift_card_includes_tax: flag('vendor_pos_terminal/credits/gift_card_includes_tax'),
    refund_to_store_credit: is(refundsToStoreCredit),
  }),
  license: within({ connected: is(({ capabilities }) => capabilities.isLicenseConnected) }),
  has_credit_providers: is(({ enabledCredits }) => enabledCredits.length > 0),
  has_rma_providers: is(({ returnProviders }) => returnProviders.length > 0),
  has_wishlist: is(({ capabilities }) => capabilities.hasWishlist),
  has_customer_balance: has('store_credit'),
  has_gift_card: has('gift_card'),
  has_reward_points: has('reward_points'),
  has_rma_module: is(({ returnProviders }) => returnProviders.some(({ enabled }) => enabled)),
  has_msi: is(({ capabilities }) => capabilities.hasMsi),
  shipping_label_providers: always([], z.array(z.unknown())),
  /** Every provider, and whether it is enabled here; a kind exists when a provider has it. */
  credit_providers: derived(
    ({ capabilities, enabledCredits }: Shop) =>
      capabilities.credits.all.map((one) => ({
        ...{ key: one.code, code: one.code, enabled: enabledCredits.includes(one), label: one.label },
      })),
    z.array(provider),
  ),
  rma_providers: derived(({ returnProviders }: Shop) => returnProviders, z.array(provider)),
});

/** The global config, every key of spec 2.1. */
export const globalConfigAnswer = z.strictObject(config.answer.shape).meta({ id: 'GlobalConfig' });
export type GlobalConfig = z.input<typeof globalConfigAnswer>;

/**
 * The global config of spec 2.1, every key of it. It contains provider keys in clear text, only for the two config
 * routes.
 */
export const renderGlobalConfig = (
  settings: ShopSettings,
  capabilities: Capabilities,
  fixedTaxes: FixedTaxAttributes,
): GlobalConfig =>
  config.render({
    ...{ settings, capabilities, fixedTaxes },
    enabledCredits: capabilities.credits.enabled(settings),
    returnProviders: returnProvidersOf(settings, capabilities),
  });

/** The active provider's answer; false without one, or when it has no answer (spec 2.1). */
function refundsToStoreCredit({ settings, capabilities: { credits } }: Shop): boolean {
  try {
    return credits.active('store_credit', settings)?.takesRefunds(settings) === true;
  } catch {
    return false;
  }
}

/** The first enabled provider runs the store's returns; without one there is no returns module. */
function returnProvidersOf(settings: ShopSettings, { rmaProviders }: Capabilities) {
  const enabled = codesIn(settings.text('vendor_pos_terminal/returns/providers'));
  return rmaProviders.map(({ code, label }) => ({ key: code, code, enabled: enabled.includes(code), label }));
}
