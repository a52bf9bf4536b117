import type { GatewaySettings } from '../../domain/configuration/gateway-settings.ts';
import { lookUpSeconds } from '../../domain/refunds/answer-time.ts';
import type { PaymentGateway, PaymentGateways } from './payment-gateway.ts';
import { createProviderA } from './provider-a.ts';
import { createProviderB } from './provider-b.ts';
import { createProviderC } from './provider-c.ts';

export interface GatewayParts {
  /** Where all processors are played; absent: there are only those with an address of their own. */
  simulatorUrl: string | undefined;
  /** As they hold in the order's store view; read at each use, so that a changed key counts at once. */
  loadSettings: (storeId: number) => Promise<GatewaySettings>;
}

interface Member {
  /** Its folder at the simulator. */
  code: string;
  paymentMethod: string;
  /** Empty: the simulator's. */
  baseUrl: string;
  open: (baseUrl: string) => PaymentGateway;
}

const lookUpTimeoutMs = lookUpSeconds * 1000;

/**
 * The gateways a shop has, by the payment method of the order; of two with one method the first counts. Offline methods
 * have none, and neither has a processor without an address: such cards are refunded from the admin.
 */
export function createGateways({ simulatorUrl, loadSettings }: GatewayParts): PaymentGateways {
  return {
    async for({ paymentMethod, storeId }) {
      if (paymentMethod === '') return undefined;
      const all = members(await loadSettings(storeId));
      const member = all.find((one) => one.paymentMethod === paymentMethod);
      const baseUrl = member && addressOf(member, simulatorUrl);
      return baseUrl === undefined ? undefined : member?.open(baseUrl);
    },
  };
}

function addressOf({ baseUrl, code }: Member, simulatorUrl: string | undefined): string | undefined {
  if (baseUrl !== '') return baseUrl.replace(/\/+$/, '');
  return simulatorUrl === undefined ? undefined : `${simulatorUrl}/${code}`;
}

/** Everybody there is, in order. */
const members = ({ providerA, providerB, providerC }: GatewaySettings): Member[] => [
  {
    ...providerA,
    code: 'provider_a',
    open: (baseUrl) => createProviderA({ ...providerA, baseUrl, lookUpTimeoutMs }),
  },
  {
    ...providerB,
    code: 'provider_b',
    open: (baseUrl) => createProviderB({ ...providerB, baseUrl, lookUpTimeoutMs }),
  },
  {
    ...providerC,
    code: 'provider_c',
    open: (baseUrl) => createProviderC({ ...providerC, baseUrl }),
  },
];
