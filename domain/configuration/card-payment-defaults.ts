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
