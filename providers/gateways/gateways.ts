import { hash } from 'node:crypto';
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
  /** What tells one account there from another. */
  account: string;
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
      if (member === undefined || baseUrl === undefined) return undefined;
      // The simulator is one place, wherever it listens today.
      const address = member.baseUrl === '' ? '' : baseUrl;
      return { ...member.open(baseUrl), account: digestOf(member.code, address, member.account) };
    },
  };
}

function addressOf({ baseUrl, code }: Member, simulatorUrl: string | undefined): string | undefined {
  if (baseUrl !== '') return baseUrl.replace(/(?<!\/)\/+$/, '');
  return simulatorUrl === undefined ? undefined : `${simulatorUrl}/${code}`;
}

/** An account as it is kept with an attempt: the same for the same one, and no way back to its key. */
const digestOf = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);

/** Everybody there is, in order. */
const members = ({ providerA, providerB, providerC }: GatewaySettings): Member[] => [
  {
    ...providerA,
    code: 'provider_a',
    account: providerA.apiKey,
    open: (baseUrl) => createProviderA({ ...providerA, baseUrl, lookUpTimeoutMs }),
  },
  {
    ...providerB,
    code: 'provider_b',
    account: `${providerB.tokenCode} ${providerB.serviceId}`,
    open: (baseUrl) => createProviderB({ ...providerB, baseUrl, lookUpTimeoutMs }),
  },
  {
    ...providerC,
    code: 'provider_c',
    account: providerC.merchantKey,
    open: (baseUrl) => createProviderC({ ...providerC, baseUrl }),
  },
];
