import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { gatewaySettings, shopSettings } from '../../../domain/configuration/setting-defaults.ts';
import { money } from '../../../domain/money.ts';
import { startGatewaySimulator, type GatewaySimulator } from '../../../local/simulators/app.ts';
import { createGateways } from '../../../providers/gateways/gateways.ts';
import { deadlineIn } from '../../../providers/deadline.ts';
import type { PaymentGateway } from '../../../providers/gateways/payment-gateway.ts';

export const cards = ['card_a', 'card_b', 'card_c'];

export let simulator: GatewaySimulator;

/** A simulator, reset before each test. */
export function startsTheSimulator(): void {
  beforeAll(async () => {
    simulator = await startGatewaySimulator({ port: 0 });
  });
  afterAll(() => simulator.stop());
  beforeEach(async () => {
    await control('reset', {});
    await control('mode', { slow_ms: 50, silence_ms: 2_000 });
  });
}

export const control = (path: string, body: object) =>
  fetch(`${simulator.url}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const stored = {
  'vendor_pos_terminal/provider_a/magento_method': 'card_a',
  'vendor_pos_terminal/provider_a/api_key': 'test',
  'vendor_pos_terminal/provider_b/magento_method': 'card_b',
  'vendor_pos_terminal/provider_b/token_code': 'T',
  'vendor_pos_terminal/provider_b/api_token': 'S',
  'vendor_pos_terminal/provider_b/service_id': 'SL-1',
  'vendor_pos_terminal/provider_c/magento_method': 'card_c',
  'vendor_pos_terminal/provider_c/merchant_key': 'test',
};

export const gatewaysAt = (simulatorUrl: string | undefined, own: Record<string, string> = {}) => {
  const settings = gatewaySettings(shopSettings(new Map(Object.entries({ ...stored, ...own }))));
  return createGateways({ simulatorUrl, loadSettings: async () => settings, others: [] });
};

export async function gatewayOf(paymentMethod: string, baseUrl = simulator.url): Promise<PaymentGateway> {
  const gateway = await gatewaysAt(baseUrl).for({ paymentMethod, storeId: 1 });
  if (!gateway) throw new Error(`no gateway for ${paymentMethod}`);
  return gateway;
}

/** What hangs is waited for no longer than it must be; what answers has all the time a busy machine takes. */
const patienceFor = (amount: string) => (['12.62', '12.63'].includes(amount) ? 800 : 10_000);

let attempts = 0;
export const request = (amount: string, timeoutMs = patienceFor(amount)) => {
  attempts += 1;
  return {
    idempotencyKey: `return-${attempts}-1`,
    merchantReference: `refund-attempt-${attempts}`,
    ownReferences: [`refund-attempt-${attempts}`],
    orderReference: '000000001',
    paymentReference: 'pay_1',
    amount: money(amount),
    currencyCode: 'USD',
    capturedAmount: money('1000'),
    deadline: deadlineIn(timeoutMs),
  };
};

export const reallyRefunded = async () => {
  const rows = (await (await fetch(`${simulator.url}/refunds`)).json()) as { state: string }[];
  return rows.filter(({ state }) => state === 'refunded').length;
};

export const accountWith = async (own: Record<string, string>) =>
  (await gatewaysAt(simulator.url, own).for({ paymentMethod: 'card_a', storeId: 1 }))?.account;

/** What a processor keeps from another installation that used the names this one uses now. */
export const elsewhere = (amount: string) => request(amount);
