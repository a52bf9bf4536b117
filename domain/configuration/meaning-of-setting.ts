import { publicSettingPaths } from '../content.ts';
import { cartSettingDefaults, guestCartDefaults } from '../platform/carts/shop-choices.ts';
import { accountDefaults } from '../platform/customers.ts';
import { newsletterDefaults } from '../platform/newsletter.ts';
import { stockSettingDefaults } from '../platform/stock-rules.ts';
import { enforcementFlags, enforcementPath, settingDefaults } from './setting-defaults.ts';

const defaults: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...cartSettingDefaults,
    ...guestCartDefaults,
    ...accountDefaults,
    ...newsletterDefaults,
    ...stockSettingDefaults,
    ...settingDefaults,
  }),
);

/**
 * The value of a setting that is not set, for registers and web carts. Undefined: the code reads no setting of that
 * name.
 */
export const builtInSetting = (path: string): string | undefined => defaults.get(path);

/** All settings that the code reads, in alphabetical order. */
export const readSettings: readonly string[] = [...defaults.keys()].toSorted();

/** What each setting means, for the people who set it: `pos config list`. */

const shop = {
  'general/store_information/name': 'The name of the shop, on receipts and in content.',
  'general/store_information/hours': 'The opening hours, for content.',
  'general/store_information/phone': 'The telephone of the shop.',
  'general/store_information/street_line1': 'The street of the shop.',
  'general/store_information/street_line2': 'More of the street.',
  'general/store_information/postcode': 'The postcode of the shop.',
  'general/store_information/city': 'The city of the shop.',
  'general/store_information/region_id': 'The region of the shop, by its id.',
  'general/store_information/country_id': 'The country of the shop, by its two letters.',
  'general/store_information/merchant_vat_number': 'The VAT number of the shop.',
  'trans_email/ident_general/name': 'A contact that content may show: general, the name.',
  'trans_email/ident_general/email': 'A contact that content may show: general, the address.',
  'trans_email/ident_sales/name': 'A contact that content may show: sales, the name.',
  'trans_email/ident_sales/email': 'A contact that content may show: sales, the address.',
  'trans_email/ident_support/name': 'A contact that content may show: support, the name.',
  'trans_email/ident_support/email': 'A contact that content may show: support, the address.',
  'web/secure/base_url': 'Where links in content begin.',
  'web/unsecure/base_url': 'Where links in content begin if web/secure/base_url is empty.',
  'vendor_cms/versions/kept': 'How many versions of a text are kept.',
} as const;

const webShop = {
  'carriers/flatrate/active': '1: web carts are offered flat-rate shipping.',
  'carriers/flatrate/title': 'How the carrier is called.',
  'carriers/flatrate/name': 'How the method is called.',
  'carriers/flatrate/price': 'Its price in the base currency.',
  'carriers/flatrate/type': 'I: a price for each piece; O: one for the order.',
  'carriers/freeshipping/active': '1: web carts are offered free shipping.',
  'carriers/freeshipping/title': 'How the carrier is called.',
  'carriers/freeshipping/name': 'How the method is called.',
  'carriers/freeshipping/free_shipping_subtotal': 'From which subtotal it is offered.',
  'carriers/instore/active': '1: web carts are offered pick-up in a store.',
  'carriers/instore/title': 'How the carrier is called.',
  'carriers/instore/name': 'How the method is called.',
  'carriers/instore/price': 'Its price in the base currency.',
  'checkout/cart/delete_quote_after': 'After how many days without a change a cart of a guest is deleted.',
  'customer/create_account/confirm': '1: a new account waits until its e-mail address is confirmed.',
  'newsletter/subscription/allow_guest_subscribe': '1: who has no account may subscribe.',
  'newsletter/subscription/confirm': '1: a subscription waits until its e-mail address is confirmed.',
  'payment/banktransfer/active': '1: web carts may be paid by bank transfer.',
  'payment/banktransfer/title': 'How it is called.',
  'payment/cashondelivery/active': '1: web carts may be paid in cash on delivery.',
  'payment/cashondelivery/title': 'How it is called.',
  'payment/checkmo/active': '1: web carts may be paid by cheque or money order.',
  'payment/checkmo/title': 'How it is called.',
  'payment/free/active': '1: a cart that costs nothing needs no payment.',
  'payment/free/title': 'How it is called.',
  'payment/purchaseorder/active': '1: web carts may be paid by invoice.',
  'payment/purchaseorder/title': 'How it is called.',
  'cataloginventory/item_options/backorders': '0: no sale without stock; 1 and 2: goods may be sold below zero.',
  'cataloginventory/item_options/min_sale_qty': 'The least quantity of a product in a web cart.',
  'cataloginventory/item_options/max_sale_qty': 'The most of a product in a web cart.',
  'cataloginventory/item_options/enable_qty_increments': '1: quantities come in the steps of qty_increments.',
  'cataloginventory/item_options/qty_increments': 'The step of quantities.',
} as const;

const tax = {
  'tax/calculation/algorithm': 'Where tax is rounded: UNIT_, ROW_ or TOTAL_BASE_CALCULATION.',
  'tax/calculation/price_includes_tax': '1: prices of the catalog include tax.',
  'tax/calculation/apply_after_discount': '1: tax is on the price after discount.',
  'tax/calculation/discount_tax': '1: a discount is of the price with tax.',
  'tax/display/type': 'Prices are shown 1 without tax, 2 with it, 3 both.',
  'tax/cart_display/price': 'Prices in the cart: 1 without tax, 2 with it, 3 both.',
  'tax/cart_display/subtotal': 'The subtotal in the cart: 1 without tax, 2 with it, 3 both.',
  'tax/cart_display/zero_tax': '1: the cart shows tax of zero.',
  'tax/sales_display/zero_tax': '1: sales documents show tax of zero.',
  'tax/weee/enable': '1: fixed taxes of products count.',
  'tax/weee/apply_vat': '1: fixed taxes are taxed themselves.',
  'tax/weee/include_in_subtotal': '1: fixed taxes are part of the subtotal.',
  'tax/weee/display': 'How registers show fixed taxes of a product: 0 to 3.',
  'tax/weee/display_list': 'How registers show them in lists: 0 to 3.',
  'tax/weee/display_sales': 'How registers show them on sales: 0 to 3.',
  'tax/weee/attributes': 'The attributes that are fixed taxes, as code:label,code:label.',
} as const;

const register = {
  'vendor_pos/general/enabled': '0: no register may work.',
  'vendor_pos/general/require_staff_login': '1: a cashier signs in before a sale.',
  'vendor_pos/general/require_terminal_registration': '1: a device needs the code of a terminal.',
  'vendor_pos/general/require_open_session': '1: a till session is open before a sale.',
  'vendor_pos/closing/force_after_hours': 'Hours after which an open session is closed by force, in the next night.',
  'vendor_pos/closing/counts_allowed': 'How many counts of a drawer are permitted before its figures are shown.',
  'vendor_pos/closing/recount_above': 'A larger difference asks for another count.',
  'vendor_pos/closing/approve_above': 'A larger difference needs a second person; empty: never.',
  'vendor_pos/general/share_held_carts': '1: terminals of a location share their held carts.',
  'vendor_pos_terminal/orders/default_status': 'The status of a new order; empty: that of its state.',
  'vendor_pos_terminal/payments/methods': 'The ways of paying that registers offer, by code.',
  'vendor_pos_terminal/payments/terminal_methods': 'Ways of paying that a terminal may record, as code:label.',
  'vendor_pos_terminal/payments/pay_by_invoice_method': 'The way of paying that means: later, by invoice.',
  'vendor_pos_terminal/payments/pay_by_invoice_invoicing_mode':
    'What the register does with its invoice, such as open.',
  'vendor_pos_terminal/payments/credit_limits_enabled': '1: registers ask how much a customer may owe.',
  'vendor_pos_terminal/payments/builtin_refunds_enabled': '1: registers may refund without a returns module.',
  'vendor_pos_terminal/payments/cash_rounding_increment': 'The smallest coin in cash, such as 0.05; empty: none.',
  'vendor_pos_terminal/card_payments/provider': 'The card processor of registers: manual, provider_a or provider_b.',
  'vendor_pos_terminal/stock/low_stock_threshold': 'From which quantity on registers warn.',
  'vendor_pos_terminal/stock/use_msi': '1: registers look at stock by source.',
  'vendor_pos_terminal/layaway/deposit_min_percent': 'The least first payment of a layaway, in percent.',
  'vendor_pos_terminal/layaway/expiry_days': 'After how many days a layaway is overdue; 0: never.',
  'vendor_pos_terminal/layaway/cancellation_fee_percent': 'What a cancelled layaway costs, in percent.',
  'vendor_pos_terminal/pickup/queue_filter': 'Which orders the pick-up queue shows.',
  'vendor_pos_terminal/pickup/completed_status_code': 'The status of an order that was picked up.',
  'vendor_pos_terminal/catalog/custom_sale_sku': 'The SKU for goods that the catalog does not have.',
  'vendor_pos_terminal/catalog/categories': 'The categories that registers show, by id; empty: all.',
  'vendor_pos_terminal/catalog/promo_attribute_lookup': '1: registers look up attributes of promotions.',
  'vendor_pos_terminal/tax/reverse_charge_enabled': '1: registers may sell with reverse charge.',
  'vendor_pos_terminal/tax/tax_exempt_enabled': '1: registers may sell without tax.',
  'vendor_pos_terminal/receipt/header': 'Text above a receipt.',
  'vendor_pos_terminal/receipt/footer': 'Text below a receipt.',
  'vendor_pos_terminal/receipt/show_staff_name': '1: a receipt names the cashier.',
  'vendor_pos_terminal/receipt/show_order_number': '1: a receipt has the number of the order.',
  'vendor_pos_terminal/receipt/show_receipt_number': '1: a receipt has its own number.',
  'vendor_pos_terminal/receipt/show_sale_reference': '1: a receipt has a short reference of the sale.',
  'vendor_pos_terminal/receipt/qr_text': 'Text below the code of a receipt.',
  'vendor_pos_terminal/receipt/qr_url': 'Where the code leads, with {token} in it; empty: to our page.',
  'vendor_pos_terminal/receipt/auto_print': 'What is printed after a sale; empty: nothing.',
  'vendor_pos_terminal/receipt/logo_size': 'The width of the logo in percent.',
  'vendor_pos_terminal/receipt/store_info_placement': 'header or footer: where the address stands.',
  'vendor_pos_terminal/receipt/logo': 'Set by: pos receipt logo FILE.',
  'vendor_pos_terminal/receipt/template': "The shop's own receipt, see the page on receipts.",
  'vendor_pos_terminal/customers/customer_prices': '1: registers ask for the prices of a customer.',
  'vendor_pos_terminal/customers/validators': 'The checks of customers that are on, by key; empty: all.',
  'vendor_pos_terminal/customers/walk_in_first_name': 'A sale without a customer: the first name.',
  'vendor_pos_terminal/customers/walk_in_last_name': 'A sale without a customer: the last name.',
  'vendor_pos_terminal/customers/walk_in_email': 'A sale without a customer: the address; it gets no mail.',
  'vendor_pos_terminal/customers/walk_in_phone': 'A sale without a customer: the telephone.',
  'vendor_pos_terminal/customers/walk_in_street': 'A sale without a customer: the street.',
  'vendor_pos_terminal/customers/walk_in_city': 'A sale without a customer: the city.',
  'vendor_pos_terminal/customers/walk_in_region_id': 'A sale without a customer: the region, by its id.',
  'vendor_pos_terminal/customers/walk_in_postcode': 'A sale without a customer: the postcode.',
  'vendor_pos_terminal/customers/walk_in_country_id': 'A sale without a customer: the country.',
} as const;

const enforcement = Object.fromEntries(
  enforcementFlags.map((flag) => [
    enforcementPath(flag),
    `1: the shop's value of ${flag} holds everywhere; places and devices cannot change it.`,
  ]),
);

const shopWords: Readonly<Record<string, string>> = { ...shop, ...webShop, ...tax, ...register, ...enforcement };

const cards = {
  'vendor_pos_terminal/provider_a/enabled': '1: registers may use this card processor.',
  'vendor_pos_terminal/provider_a/organisation_id': 'Who the shop is at the processor.',
  'vendor_pos_terminal/provider_a/api_key': 'The secret key; sealed, never shown.',
  'vendor_pos_terminal/provider_a/test_api_key': 'The secret key for tests; sealed, never shown.',
  'vendor_pos_terminal/provider_a/test_mode': '1: the key for tests is used.',
  'vendor_pos_terminal/provider_a/base_url': 'The address of the processor; empty: the simulator where one runs.',
  'vendor_pos_terminal/provider_a/magento_method': 'The way of paying of its sales.',
  'vendor_pos_terminal/provider_b/enabled': '1: registers may use this card processor.',
  'vendor_pos_terminal/provider_b/token_code': 'Who the shop is at the processor.',
  'vendor_pos_terminal/provider_b/api_token': 'The secret token; sealed, never shown.',
  'vendor_pos_terminal/provider_b/service_id': 'The service of the shop at the processor.',
  'vendor_pos_terminal/provider_b/service_secret': 'The secret of the service; sealed, never shown.',
  'vendor_pos_terminal/provider_b/test_mode': '1: for tests.',
  'vendor_pos_terminal/provider_b/base_url': 'The address of the processor; empty: the simulator where one runs.',
  'vendor_pos_terminal/provider_b/magento_method': 'The way of paying of its sales.',
  'vendor_pos_terminal/provider_c/merchant_key': 'The secret key; sealed, never shown.',
  'vendor_pos_terminal/provider_c/base_url': 'The address of the processor; empty: the simulator where one runs.',
  'vendor_pos_terminal/provider_c/magento_method': 'The way of paying of its sales.',
} as const;

const credits = {
  'vendor_gift_card/general/enabled': '1: gift cards are taken.',
  'vendor_pos/gift_card/refund_validity_days':
    'How many days an expired gift card is valid again after a refund to it, and how long a card lasts that replaces a disabled one.',
  'vendor_store_credit/general/enabled': '1: store credit is taken.',
  'vendor_store_credit/general/refunds_by_default': '1: a refund goes to store credit unless the cashier chooses.',
  'vendor_reward_points/general/enabled': '1: points are earned and taken.',
  'vendor_reward_points/earning/points_per_currency_unit': 'Points for one unit of the base currency.',
  'vendor_reward_points/spending/currency_per_point': 'What one point is worth in the base currency.',
  'vendor_reward_points/spending/granularity': 'Points are spent in steps of so many.',
  'vendor_reward_points/spending/minimum_points': 'The fewest points that can be spent.',
  'vendor_reward_points/spending/applies_as': 'tender: points are a payment; discount: they lower the price.',
  'vendor_pos_terminal/credits/allow_store_credit': '1: registers offer store credit.',
  'vendor_pos_terminal/credits/excluded_skus': 'SKUs that no credit pays for, such as gift cards on sale.',
  'vendor_pos_terminal/credits/gift_card_includes_tax': '1: a gift card pays tax too.',
  'vendor_pos_terminal/credits/reward_points_includes_tax': '1: points pay tax too.',
  'vendor_pos_terminal/credits/store_credit_includes_tax': '1: store credit pays tax too.',
  'vendor_pos_advanced/credit_limits/groups': 'How much a customer of a group may owe, as 2:5000,3:1000.',
  'vendor_pos_advanced/customers/minimum_age': 'The age from which somebody can be a customer; 0: any.',
} as const;

const returns = {
  'vendor_pos_terminal/returns/providers': 'The returns departments, by code; empty: refunds without a return.',
  'vendor_pos_advanced/returns/period_days': 'How many days goods may come back; 0: always.',
  'vendor_pos_advanced/returns/resolutions': 'What may be given, as Refund,Exchange; empty: all.',
  'vendor_pos_advanced/returns/resolution_periods': 'Days of each, as Refund:14,Exchange:60.',
  'vendor_pos_advanced/returns/final_sale_percent': 'From which discount on goods do not come back; 0: none.',
  'vendor_pos_advanced/returns/reasons': 'The reasons that a customer may give.',
} as const;

const ops = {
  'vendor_pos_advanced/ops/two_people_above': 'Above this sum two people decide a refund in doubt; empty: one does.',
  'vendor_pos_advanced/ops/portal_provider_a': 'The page of a payment at the processor; %1 is its reference there.',
  'vendor_pos_advanced/ops/portal_provider_b': 'The page of a payment at the processor; %1 is its reference there.',
  'vendor_pos_advanced/ops/portal_provider_c': 'The page of a payment at the processor; %1 is its reference there.',
} as const;

const kioskAndTelemetry = {
  'vendor_pos_advanced/self_checkout/otp_length': 'Digits of a one-time code: 4 to 10.',
  'vendor_pos_advanced/self_checkout/otp_ttl_seconds': 'How long a code holds.',
  'vendor_pos_advanced/self_checkout/otp_max_attempts': 'Guesses at a code.',
  'vendor_pos_advanced/self_checkout/otp_resend_cooldown_seconds': 'The pause between two codes of an address.',
  'vendor_pos_advanced/self_checkout/otp_rate_limit_per_email_hour': 'Codes of an address in an hour.',
  'vendor_pos_advanced/self_checkout/otp_rate_limit_per_terminal_hour': 'Codes of a kiosk in an hour.',
  'vendor_pos_advanced/telemetry/enabled': '1: registers send what they count.',
  'vendor_pos_advanced/telemetry/force_enabled': '1: devices cannot switch it off.',
  'vendor_pos_advanced/telemetry/upload_hour': 'The hour in which they send it.',
  'vendor_pos_advanced/telemetry/retention_days': 'How many days it is kept.',
} as const;

const words: Readonly<Record<string, string>> = {
  ...shopWords,
  ...cards,
  ...credits,
  ...returns,
  ...ops,
  ...kioskAndTelemetry,
};

/** What a setting means; undefined where nobody reads a setting of that name. */
export const meaningOfSetting = (path: string): string | undefined =>
  Object.hasOwn(words, path) ? words[path] : undefined;

/** Every setting that something reads: the service, registers, or content. */
export const knownSettings: readonly string[] = [...new Set([...readSettings, ...publicSettingPaths])].toSorted();
