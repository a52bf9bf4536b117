import type { PaymentGateway, PaymentGateways } from './payment-gateway.ts';
import { createProviderA } from './provider-a.ts';
import { createProviderB } from './provider-b.ts';
import { createProviderC } from './provider-c.ts';

/** What a merchant set for the card providers: which payment method each backs, and its keys. */
export interface GatewaySettings {
  providerA: { paymentMethod: string; apiKey: string };
  providerB: { paymentMethod: string; tokenCode: string; apiToken: string; serviceId: string };
  providerC: { paymentMethod: string; merchantKey: string };
}

export interface GatewayParts {
  /** Where the processors answer; absent: no gateway is there, and cards are refunded from the admin. */
  baseUrl: string | undefined;
  /** As they hold in the order's store view; read at each use, so that a changed key counts at once. */
  loadSettings: (storeId: number) => Promise<GatewaySettings>;
}

interface Member {
  paymentMethod: string;
  open: () => PaymentGateway;
}

const lookUpTimeoutMs = 8_000;

/**
 * The gateways a shop has, by the payment method of the order; of two with one method the first counts. Offline methods
 * have none.
 */
export function createGateways({ baseUrl, loadSettings }: GatewayParts): PaymentGateways {
  return {
    async for({ paymentMethod, storeId }) {
      if (baseUrl === undefined) return undefined;
      const pool = members(baseUrl, await loadSettings(storeId));
      return pool.find((member) => member.paymentMethod === paymentMethod && paymentMethod !== '')?.open();
    },
  };
}

/** Everybody there is, in order. */
const members = (baseUrl: string, { providerA, providerB, providerC }: GatewaySettings): Member[] => [
  {
    paymentMethod: providerA.paymentMethod,
    open: () => createProviderA({ ...providerA, baseUrl: `${baseUrl}/provider_a`, lookUpTimeoutMs }),
  },
  {
    paymentMethod: providerB.paymentMethod,
    open: () => createProviderB({ ...providerB, baseUrl: `${baseUrl}/provider_b`, lookUpTimeoutMs }),
  },
  {
    paymentMethod: providerC.paymentMethod,
    open: () => createProviderC({ ...providerC, baseUrl: `${baseUrl}/provider_c` }),
  },
];
