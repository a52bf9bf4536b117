import type { PaymentGateway, PaymentGateways } from './payment-gateway.ts';
import { createProviderA } from './provider-a.ts';
import { createProviderB } from './provider-b.ts';

/** What a merchant set for the two card providers: which payment method each backs, and its keys. */
export interface GatewaySettings {
  providerA: { paymentMethod: string; apiKey: string };
  providerB: { paymentMethod: string; tokenCode: string; apiToken: string; serviceId: string };
}

export interface GatewayParts {
  /** Where both processors answer; absent: no gateway is there, and cards are refunded from the admin. */
  baseUrl: string | undefined;
  /** As they hold in the order's store view; read at each use, so that a changed key counts at once. */
  loadSettings: (storeId: number) => Promise<GatewaySettings>;
}

const lookUpTimeoutMs = 8_000;

/** The gateways a shop has, by the payment method of the order. Offline methods have none. */
export function createGateways({ baseUrl, loadSettings }: GatewayParts): PaymentGateways {
  return {
    async for({ paymentMethod, storeId }): Promise<PaymentGateway | undefined> {
      if (baseUrl === undefined) return undefined;
      const { providerA, providerB } = await loadSettings(storeId);
      if (paymentMethod === providerA.paymentMethod) {
        return createProviderA({ baseUrl: `${baseUrl}/provider_a`, apiKey: providerA.apiKey, lookUpTimeoutMs });
      }
      if (paymentMethod === providerB.paymentMethod) {
        return createProviderB({ baseUrl: `${baseUrl}/provider_b`, ...providerB, lookUpTimeoutMs });
      }
      return undefined;
    },
  };
}
