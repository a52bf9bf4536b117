import { readGatewaySettings } from '../db/configuration/read-gateway-settings.ts';
import { noExtensions } from './extensions.ts';
import { createGateways } from './gateways/gateways.ts';
import type { PaymentGateways } from './gateways/payment-gateway.ts';
import { createProviders, type ProviderParts, type Providers } from './index.ts';

/** What a worker has beside what all have: it alone calls gateways. */
export interface WorkerProviders extends Providers {
  gateways: PaymentGateways;
}

/** Creates the worker's providers. */
export function createWorkerProviders(parts: ProviderParts): WorkerProviders {
  const providers = createProviders(parts);
  const { settings, orm, extensions = noExtensions } = parts;
  const gateways = createGateways({
    simulatorUrl: settings.GATEWAY_SIMULATOR_URL,
    loadSettings: (storeId) => readGatewaySettings(orm.em.fork(), storeId, providers.secrets),
    others: extensions.gateways,
  });
  return { ...providers, gateways };
}
