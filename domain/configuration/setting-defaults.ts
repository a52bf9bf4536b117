import { contentDefaults } from '../content.ts';
import { oneTimeCodeDefaults, type OneTimeCodePath } from '../self-checkout.ts';

/**
 * Defaults of the card processors' settings. Every setting listed here is read for every refund, whatever its path
 * begins with.
 *
 * `base_url` is the address of the processor. Empty means the simulator where one runs, else no address.
 */
export const cardPaymentDefaults = {
  'vendor_pos_terminal/card_payments/provider': 'manual',
  'vendor_pos_terminal/provider_a/enabled': '0',
  'vendor_pos_terminal/provider_a/organisation_id': '',
  'vendor_pos_terminal/provider_a/api_key': '',
  'vendor_pos_terminal/provider_a/test_api_key': '',
  'vendor_pos_terminal/provider_a/test_mode': '0',
  'vendor_pos_terminal/provider_a/base_url': '',
  'vendor_pos_terminal/provider_a/magento_method': 'provider_a',
  'vendor_pos_terminal/provider_b/enabled': '0',
  'vendor_pos_terminal/provider_b/token_code': '',
  'vendor_pos_terminal/provider_b/api_token': '',
  'vendor_pos_terminal/provider_b/service_id': '',
  'vendor_pos_terminal/provider_b/test_mode': '0',
  'vendor_pos_terminal/provider_b/service_secret': '',
  'vendor_pos_terminal/provider_b/base_url': '',
  'vendor_pos_terminal/provider_b/magento_method': 'provider_b',
  /** For the server only: this processor has no terminals, so registers never get these settings. */
  'vendor_pos_terminal/provider_c/merchant_key': '',
  'vendor_pos_terminal/provider_c/base_url': '',
  'vendor_pos_terminal/provider_c/magento_method': 'provider_c',
} as const;

/** The settings here that are secret keys. */
export const cardPaymentSecrets = [
  'vendor_pos_terminal/provider_a/api_key',
  'vendor_pos_terminal/provider_a/test_api_key',
  'vendor_pos_terminal/provider_b/api_token',
  'vendor_pos_terminal/provider_b/service_secret',
  'vendor_pos_terminal/provider_c/merchant_key',
] as const satisfies readonly (keyof typeof cardPaymentDefaults)[];

/** Settings a merchant can lock on the device (spec 3.6), in the order of the interface. */
export const enforcementFlags = [
  ...(['receipt_header', 'receipt_footer', 'receipt_show_staff_name', 'receipt_show_order_number'] as const),
  ...(['receipt_show_receipt_number', 'receipt_show_sale_reference', 'receipt_qr', 'auto_print'] as const),
  ...(['payment_methods', 'card_payment_provider', 'allow_store_credit', 'provider_a_magento_method'] as const),
  ...(['provider_a_config', 'provider_b_config', 'provider_b_magento_method', 'pay_by_invoice_method'] as const),
  ...(['pay_by_invoice_invoicing_mode', 'refund_validity', 'cash_rounding_increment'] as const),
  ...(['require_open_session', 'store_details', 'tax_settings', 'low_stock_threshold', 'use_msi'] as const),
  ...(['held_carts', 'custom_sale_sku', 'categories', 'walk_in_customer', 'pickup_queue_filter'] as const),
  ...(['customer_prices', 'promo_attribute_lookup'] as const),
] as const;

export type EnforcementFlag = (typeof enforcementFlags)[number];

/** Where a flag is stored, per website. */
export const enforcementPath = <Flag extends EnforcementFlag>(flag: Flag) =>
  `vendor_pos_lock/enforcement/${flag}` as const;

/**
 * Every merchant setting that registers get, with its default value.
 *
 * Flags are `1` and `0`. Paths are the spec's where it names one and the platform's for taxes and the store's address
 * (platform facts 9.2, 9.5); the rest are our choice.
 */
const general = {
  'vendor_pos/general/enabled': '1',
  'vendor_pos/general/require_staff_login': '1',
  'vendor_pos/general/share_held_carts': '1',
  'vendor_pos/general/require_terminal_registration': '1',
  /** A sale needs an open till session first. */
  'vendor_pos/general/require_open_session': '0',
  /** Hours after which a session is closed by force, in the next night. */
  'vendor_pos/closing/force_after_hours': '20',
  'vendor_pos/closing/counts_allowed': '2',
  /** A larger difference asks for another count, while one is permitted. */
  'vendor_pos/closing/recount_above': '0',
  /** A larger difference needs a second person; empty: never. */
  'vendor_pos/closing/approve_above': '',
} as const;

const register = {
  'vendor_pos_terminal/orders/default_status': '',
  'vendor_pos_terminal/payments/methods': 'cashondelivery,checkmo,provider_a,provider_b',
  /** The platform's payment methods that a terminal may use for its sales, as `code:label,code:label`. */
  'vendor_pos_terminal/payments/terminal_methods':
    'cashondelivery:Cash On Delivery,checkmo:Check / Money order,banktransfer:Bank Transfer Payment,' +
    'purchaseorder:Purchase Order,provider_a:Card terminal A,provider_b:Card terminal B',
  'vendor_pos_terminal/payments/pay_by_invoice_method': 'purchaseorder',
  'vendor_pos_terminal/payments/pay_by_invoice_invoicing_mode': 'open',
  'vendor_pos_terminal/payments/credit_limits_enabled': '0',
  'vendor_pos_terminal/payments/builtin_refunds_enabled': '1',
  'vendor_pos_terminal/payments/cash_rounding_increment': '',
  'vendor_pos_terminal/stock/low_stock_threshold': '5',
  'vendor_pos_terminal/stock/use_msi': '1',
  'vendor_pos_terminal/receipt/header': '',
  'vendor_pos_terminal/receipt/footer': '',
  'vendor_pos_terminal/receipt/show_staff_name': '1',
  'vendor_pos_terminal/receipt/show_order_number': '1',
  'vendor_pos_terminal/receipt/show_receipt_number': '1',
  'vendor_pos_terminal/receipt/show_sale_reference': '1',
  'vendor_pos_terminal/receipt/qr_text': '',
  'vendor_pos_terminal/receipt/qr_url': '',
  /** What is printed when a sale is done; empty: nothing unless the cashier asks for it. */
  'vendor_pos_terminal/receipt/auto_print': 'receipt',
  'vendor_pos_terminal/receipt/logo_size': '100',
  'vendor_pos_terminal/receipt/store_info_placement': 'header',
  /** Not sent to registers: the digest of the uploaded logo, and the shop's own receipt template. */
  'vendor_pos_terminal/receipt/logo': '',
  'vendor_pos_terminal/receipt/template': '',
  'vendor_pos_terminal/layaway/deposit_min_percent': '20',
  /** For a layaway without its own date of expiry; 0: it never expires. */
  'vendor_pos_terminal/layaway/expiry_days': '30',
  'vendor_pos_terminal/layaway/cancellation_fee_percent': '0',
  'vendor_pos_terminal/pickup/queue_filter': 'all',
  'vendor_pos_terminal/pickup/completed_status_code': '',
  /** The SKU for sales of goods that are not in the catalog. */
  'vendor_pos_terminal/catalog/custom_sale_sku': '',
  /** Comma-separated ids; empty: all. */
  'vendor_pos_terminal/catalog/categories': '',
  'vendor_pos_terminal/catalog/promo_attribute_lookup': '0',
  'vendor_pos_terminal/tax/reverse_charge_enabled': '0',
  'vendor_pos_terminal/tax/tax_exempt_enabled': '0',
  'vendor_pos_terminal/credits/allow_store_credit': '1',
  'vendor_pos_terminal/credits/store_credit_includes_tax': '1',
  'vendor_pos_terminal/credits/reward_points_includes_tax': '1',
  'vendor_pos_terminal/credits/gift_card_includes_tax': '1',
  /** When a register asks for the prices of its customer: `off`, `cart` or `browsing`, which is in the cart too. */
  'vendor_pos_terminal/customers/customer_prices': 'off',
  'vendor_pos_terminal/customers/walk_in_first_name': 'Walk-in',
  'vendor_pos_terminal/customers/walk_in_last_name': 'Customer',
  'vendor_pos_terminal/customers/walk_in_email': 'walk-in@example.com',
  'vendor_pos_terminal/customers/walk_in_phone': '',
  'vendor_pos_terminal/customers/walk_in_street': '',
  'vendor_pos_terminal/customers/walk_in_city': '',
  'vendor_pos_terminal/customers/walk_in_region_id': '0',
  'vendor_pos_terminal/customers/walk_in_postcode': '',
  'vendor_pos_terminal/customers/walk_in_country_id': 'US',
} as const;

/** Rules for customers. The server uses them; registers never get them. */
const customers = {
  /** How much a customer of a group may owe without an agreement of their own, as `2:5000,3:1000`, base currency. */
  'vendor_pos_advanced/credit_limits/groups': '',
  /** Comma-separated keys of optional validators; empty: all of them. */
  'vendor_pos_terminal/customers/validators': '',
  /** In whole years; 0: no minimum age. */
  'vendor_pos_advanced/customers/minimum_age': '0',
} as const;

/** Who may spend and earn credits, and on which terms. */
const credits = {
  'vendor_store_credit/general/enabled': '1',
  /** Whether a refund goes to store credit unless the cashier chooses otherwise (spec 2.1). */
  'vendor_store_credit/general/refunds_by_default': '0',
  'vendor_gift_card/general/enabled': '1',
  /** In days, counted from the day of the refund. */
  'vendor_pos/gift_card/refund_validity_days': '365',
  'vendor_reward_points/general/enabled': '0',
  /** Decimals: points for one unit of the base currency, and what one point is worth in it. */
  'vendor_reward_points/earning/points_per_currency_unit': '1',
  'vendor_reward_points/spending/currency_per_point': '0.01',
  'vendor_reward_points/spending/granularity': '1',
  'vendor_reward_points/spending/minimum_points': '0',
  /** `tender` or `discount`. */
  'vendor_reward_points/spending/applies_as': 'tender',
  /** Comma-separated SKUs that no credit pays for, such as gift cards on sale. */
  'vendor_pos_terminal/credits/excluded_skus': '',
} as const;

const returns = {
  /** Comma-separated codes of the returns providers of a store; empty: none, so refunds happen without a return. */
  'vendor_pos_terminal/returns/providers': 'builtin',
  /** The server's own rules for eligible goods (spec 4.8 eligibility); days after the goods were handed over. */
  'vendor_pos_advanced/returns/period_days': '0',
  /** As `Refund,Exchange`; empty: all resolutions of the provider. */
  'vendor_pos_advanced/returns/resolutions': '',
  /** As `Refund:14,Exchange:60`. */
  'vendor_pos_advanced/returns/resolution_periods': '',
  'vendor_pos_advanced/returns/final_sale_percent': '0',
  /** The reasons a customer may give, comma-separated. */
  'vendor_pos_advanced/returns/reasons': 'Changed mind,Wrong size,Wrong item,Defective,Damaged in transit,Other',
} as const;

/** The operator's page. Registers never get these. */
const ops = {
  /**
   * In the base currency: above it, a second person says the same before a refund in doubt is decided. Empty: never.
   */
  'vendor_pos_advanced/ops/two_people_above': '',
  /** The page of a payment at its processor, with `%1` for the processor's reference. Empty: no link. */
  'vendor_pos_advanced/ops/portal_provider_a': '',
  'vendor_pos_advanced/ops/portal_provider_b': '',
  'vendor_pos_advanced/ops/portal_provider_c': '',
} as const;

const telemetry = {
  'vendor_pos_advanced/telemetry/enabled': '1',
  'vendor_pos_advanced/telemetry/force_enabled': '0',
  'vendor_pos_advanced/telemetry/upload_hour': '3',
  /** Not sent to registers: how many days raw events and their sums are kept (spec 8). */
  'vendor_pos_advanced/telemetry/retention_days': '90',
} as const;

const tax = {
  'tax/calculation/price_includes_tax': '0',
  'tax/calculation/apply_after_discount': '1',
  'tax/calculation/discount_tax': '0',
  'tax/calculation/algorithm': 'TOTAL_BASE_CALCULATION',
  'tax/display/type': '1',
  'tax/cart_display/price': '1',
  'tax/cart_display/subtotal': '1',
  'tax/cart_display/zero_tax': '0',
  'tax/sales_display/zero_tax': '0',
  'tax/weee/enable': '0',
  'tax/weee/apply_vat': '0',
  'tax/weee/include_in_subtotal': '0',
  'tax/weee/display_sales': '1',
  'tax/weee/display': '1',
  'tax/weee/display_list': '1',
} as const;

const storeInformation = {
  'general/store_information/name': '',
  'general/store_information/phone': '',
  'general/store_information/country_id': '',
  'general/store_information/region_id': '',
  'general/store_information/postcode': '',
  'general/store_information/city': '',
  'general/store_information/street_line1': '',
  'general/store_information/street_line2': '',
  'general/store_information/merchant_vat_number': '',
} as const;

type EnforcementPath = ReturnType<typeof enforcementPath<EnforcementFlag>>;

const unlocked: Readonly<Record<string, string>> = Object.fromEntries(
  enforcementFlags.map((flag) => [enforcementPath(flag), '0']),
);

export type SettingPath =
  | keyof typeof general
  | keyof typeof register
  | keyof typeof customers
  | keyof typeof credits
  | keyof typeof cardPaymentDefaults
  | keyof typeof returns
  | keyof typeof ops
  | keyof typeof telemetry
  | keyof typeof contentDefaults
  | keyof typeof tax
  | keyof typeof storeInformation
  | OneTimeCodePath
  | EnforcementPath;

export const settingDefaults: Readonly<Record<string, string>> = {
  ...general,
  ...register,
  ...customers,
  ...credits,
  ...cardPaymentDefaults,
  ...returns,
  ...ops,
  ...telemetry,
  ...contentDefaults,
  ...tax,
  ...storeInformation,
  ...oneTimeCodeDefaults,
  ...unlocked,
};

/** Secret keys: sealed at rest, opened only for the two config routes (spec 5). */
export const secretPaths: ReadonlySet<string> = new Set<SettingPath>(cardPaymentSecrets);

/** The version by which registers decide which features they use (spec 9). */
export const moduleVersion = '1.3.0';

/** The settings as they hold in one store view: stored values over defaults. */
export interface ShopSettings {
  text(path: SettingPath): string;
  /** Anything but empty, `0` and `false` is on. */
  flag(path: SettingPath): boolean;
  /** 0 for text that is not a number. */
  integer(path: SettingPath): number;
  number(path: SettingPath): number;
}

/** How the platform reads a stored flag. */
export const isOn = (text: string) => !['', '0', 'false'].includes(text.trim());

/** Values by path, each from the narrowest scope that sets it. A stored null is an empty text, as on the platform. */
export function shopSettings(stored: ReadonlyMap<string, string | null>): ShopSettings {
  const text = (path: SettingPath) => {
    const value = stored.get(path);
    return value === undefined ? (settingDefaults[path] ?? '') : (value ?? '');
  };
  const number = (path: SettingPath) => {
    const value = Number(text(path));
    return Number.isFinite(value) ? value : 0;
  };
  return {
    text,
    number,
    flag: (path) => isOn(text(path)),
    integer: (path) => Math.trunc(number(path)),
  };
}

/** What a merchant set for each card processor: its payment method, its address and its keys in clear text. */
export type GatewaySettings = ReturnType<typeof gatewaySettings>;

export function gatewaySettings(settings: ShopSettings) {
  const isTest = settings.flag('vendor_pos_terminal/provider_a/test_mode');
  return {
    providerA: {
      paymentMethod: settings.text('vendor_pos_terminal/provider_a/magento_method'),
      baseUrl: settings.text('vendor_pos_terminal/provider_a/base_url'),
      apiKey: settings.text(
        isTest ? 'vendor_pos_terminal/provider_a/test_api_key' : 'vendor_pos_terminal/provider_a/api_key',
      ),
    },
    providerB: {
      paymentMethod: settings.text('vendor_pos_terminal/provider_b/magento_method'),
      baseUrl: settings.text('vendor_pos_terminal/provider_b/base_url'),
      tokenCode: settings.text('vendor_pos_terminal/provider_b/token_code'),
      apiToken: settings.text('vendor_pos_terminal/provider_b/api_token'),
      serviceId: settings.text('vendor_pos_terminal/provider_b/service_id'),
    },
    providerC: {
      paymentMethod: settings.text('vendor_pos_terminal/provider_c/magento_method'),
      baseUrl: settings.text('vendor_pos_terminal/provider_c/base_url'),
      merchantKey: settings.text('vendor_pos_terminal/provider_c/merchant_key'),
    },
  };
}
