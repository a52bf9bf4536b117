import type { EntityManager } from '@mikro-orm/postgresql';
import { setConfigValue, type SettingChange } from '../../db/configuration/set-config-value.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';

/** The platform's payment methods of the two card processors in orders. */
export const cardMethods = { providerA: 'vendor_provider_a', providerB: 'vendor_provider_b' } as const;
export const cashMethod = 'cashondelivery';

const cards = 'vendor_pos_terminal/card_payments';
const providerA = 'vendor_pos_terminal/provider_a';
const providerB = 'vendor_pos_terminal/provider_b';
const payments = 'vendor_pos_terminal/payments';
const storeInformation = 'general/store_information';

/** The keys are made up: the gateway simulator accepts any. */
const settings: readonly SettingChange[] = [
  { path: `${payments}/methods`, value: `${cashMethod},checkmo,${cardMethods.providerA},${cardMethods.providerB}` },
  {
    path: `${payments}/terminal_methods`,
    value:
      `${cashMethod}:Cash,checkmo:Check / Money order,purchaseorder:Invoice,` +
      `${cardMethods.providerA}:Card (provider A),${cardMethods.providerB}:Card (provider B)`,
  },
  { path: `${cards}/provider`, value: 'provider_a' },
  { path: `${providerA}/enabled`, value: '1' },
  { path: `${providerA}/organisation_id`, value: 'demo-organisation' },
  { path: `${providerA}/api_key`, value: 'demo-live-key-of-provider-a' },
  { path: `${providerA}/test_api_key`, value: 'demo-test-key-of-provider-a' },
  { path: `${providerA}/test_mode`, value: '1' },
  { path: `${providerA}/magento_method`, value: cardMethods.providerA },
  { path: `${providerB}/enabled`, value: '1' },
  { path: `${providerB}/token_code`, value: 'demo-token-code' },
  { path: `${providerB}/api_token`, value: 'demo-api-token-of-provider-b' },
  { path: `${providerB}/service_id`, value: 'SL-0000-0001' },
  { path: `${providerB}/service_secret`, value: 'demo-service-secret-of-provider-b' },
  { path: `${providerB}/test_mode`, value: '1' },
  { path: `${providerB}/magento_method`, value: cardMethods.providerB },
  { path: 'carriers/instore/active', value: '1' },
  { path: 'carriers/freeshipping/active', value: '1' },
  { path: 'carriers/freeshipping/free_shipping_subtotal', value: '100' },
  { path: `payment/${cashMethod}/active`, value: '1' },
  { path: 'tax/weee/enable', value: '1' },
  { path: `${storeInformation}/name`, value: 'Paper Lantern' },
  { path: `${storeInformation}/phone`, value: '+1 518 555 0100' },
  { path: `${storeInformation}/country_id`, value: 'US' },
  { path: `${storeInformation}/region_id`, value: '43' },
  { path: `${storeInformation}/postcode`, value: '12180' },
  { path: `${storeInformation}/city`, value: 'Troy' },
  { path: `${storeInformation}/street_line1`, value: '12 High Street' },
  { path: 'tax/calculation/price_includes_tax', value: '1', scope: 'websites', scopeId: 2 },
  { path: `${storeInformation}/country_id`, value: 'DE', scope: 'websites', scopeId: 2 },
  { path: `${storeInformation}/merchant_vat_number`, value: 'DE999999999', scope: 'websites', scopeId: 2 },
];

/** The merchant's settings. Written only once: later changes by people stay. */
export async function seedSettings(em: EntityManager, secrets: SecretBox): Promise<void> {
  for (const setting of settings) await setConfigValue(em, secrets, setting);
}
