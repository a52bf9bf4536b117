import { hash } from 'node:crypto';
import type { GatewaySettings } from '../../domain/configuration/gateway-settings.ts';
import { lookUpSeconds } from '../../domain/refunds/answer-time.ts';
import type { FactsOfGateways, PaymentGateway, PaymentGateways } from './payment-gateway.ts';
import { createProviderA } from './provider-a.ts';
import { createProviderB } from './provider-b.ts';
import { createProviderC } from './provider-c.ts';

export interface GatewayParts {
  /** The simulator of all processors; absent: only processors with an address exist. */
  simulatorUrl: string | undefined;
  /** The settings in the order's store view; read at each use, so that a changed key counts at once. */
  loadSettings: (storeId: number) => Promise<GatewaySettings>;
}

interface Member {
  /** Its path at the simulator. */
  code: string;
  paymentMethod: string;
  /** Empty: the simulator's address. */
  baseUrl: string;
  /** The value that identifies the account. */
  account: string;
  open: (baseUrl: string) => PaymentGateway;
}

const lookUpTimeoutMs = lookUpSeconds * 1000;

/**
 * The gateways of a shop, by the payment method of the order; of two with the same method the first counts. Offline
 * methods and processors without an address have none: such payments are refunded from the admin.
 */
export function createGateways({ simulatorUrl, loadSettings }: GatewayParts): PaymentGateways {
  return {
    async for({ paymentMethod, storeId }) {
      if (paymentMethod === '') return undefined;
      const all = members(await loadSettings(storeId));
      const member = all.find((one) => one.paymentMethod === paymentMethod);
      const baseUrl = member && addressOf(member, simulatorUrl);
      if (member === undefined || baseUrl === undefined) return undefined;
      // The simulator counts as one address, whatever its port is today.
      const address = member.baseUrl === '' ? '' : baseUrl;
      return { ...member.open(baseUrl), account: digestOf(member.code, address, member.account) };
    },
  };
}

/** The same processors, of which only facts are known: their addresses may be unset. */
export function createGatewayFacts({ loadSettings }: Pick<GatewayParts, 'loadSettings'>): FactsOfGateways {
  return {
    async for({ paymentMethod, storeId }) {
      if (paymentMethod === '') return undefined;
      const member = members(await loadSettings(storeId)).find((one) => one.paymentMethod === paymentMethod);
      if (!member) return undefined;
      const gateway = member.open(member.baseUrl);
      return { canLookUp: gateway.canLookUp, canTrack: (reference) => gateway.canTrack(reference) };
    },
  };
}

function addressOf({ baseUrl, code }: Member, simulatorUrl: string | undefined): string | undefined {
  if (baseUrl !== '') return baseUrl.replace(/(?<!\/)\/+$/, '');
  return simulatorUrl === undefined ? undefined : `${simulatorUrl}/${code}`;
}

/** The account as stored with an attempt: a digest that does not reveal its key. */
const digestOf = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);

/** All processors, in order. */
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
