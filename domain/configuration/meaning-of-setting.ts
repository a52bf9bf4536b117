import { publicSettingPaths } from '../content/public-settings.ts';
import { readSettings } from './built-in-setting.ts';
import { shopWords } from './setting-words.ts';

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
