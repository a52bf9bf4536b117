import type { EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '../support/secret-box.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { readShopSettings } from './read-shop-settings.ts';

const gatewayPaths = Object.keys(settingDefaults).filter((path) => /^vendor_pos_terminal\/provider_/.test(path));

/** The card providers as they are set in a store view: which payment method each backs, and its keys in clear. */
export async function readGatewaySettings(em: EntityManager, storeId: number, box: SecretBox) {
  const settings = await readShopSettings(em, { storeId }, box, gatewayPaths);
  const isTest = settings.flag('vendor_pos_terminal/provider_a/test_mode');
  return {
    providerA: {
      paymentMethod: settings.text('vendor_pos_terminal/provider_a/magento_method'),
      apiKey: settings.text(
        isTest ? 'vendor_pos_terminal/provider_a/test_api_key' : 'vendor_pos_terminal/provider_a/api_key',
      ),
    },
    providerB: {
      paymentMethod: settings.text('vendor_pos_terminal/provider_b/magento_method'),
      tokenCode: settings.text('vendor_pos_terminal/provider_b/token_code'),
      apiToken: settings.text('vendor_pos_terminal/provider_b/api_token'),
      serviceId: settings.text('vendor_pos_terminal/provider_b/service_id'),
    },
    providerC: {
      paymentMethod: settings.text('vendor_pos_terminal/provider_c/magento_method'),
      merchantKey: settings.text('vendor_pos_terminal/provider_c/merchant_key'),
    },
  };
}
