import type { ShopSettings } from './shop-settings.ts';

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
