import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { startGatewaySimulator, type GatewaySimulator } from '../../local/simulators/app.ts';

export const dataDir = mkdtempSync(join(tmpdir(), 'pos-simulator-'));
export let simulator: GatewaySimulator;

/** Over what it wrote down before, as after a restart. */
export const start = async () => {
  simulator = await startGatewaySimulator({ port: 0, dataDir });
};

/** A simulator, reset before each test. */
export function startsTheSimulator(): void {
  beforeAll(start);
  afterAll(async () => {
    await simulator.stop();
    rmSync(dataDir, { recursive: true });
  });
  beforeEach(async () => {
    await post('/control/reset', {});
    await post('/control/mode', { silence_ms: 20, slow_ms: 20 });
  });
}

export async function ask(path: string, init: RequestInit = {}) {
  const answer = await fetch(simulator.url + path, init);
  const text = await answer.text();
  return { status: answer.status, text, body: parsed(text) };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const json = { 'content-type': 'application/json' };
export const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

interface Refund {
  key?: string;
  reference?: string;
  payment?: string | null;
  order?: string | null;
  captured?: string | null;
}

/** The two processors, each through its own API. */
export const processors = {
  provider_a: {
    refund: (
      value: string,
      { key = 'k', reference = 'r', payment = 'p', order = 'o', captured = '100.00' }: Refund = {},
    ) =>
      post(
        '/provider_a/v1/refunds',
        {
          payment_id: payment,
          amount: { value, currency: 'USD' },
          captured_amount: captured === null ? null : { value: captured, currency: 'USD' },
          reference,
          order_reference: order,
        },
        { authorization: 'Bearer test-key', 'idempotency-key': key },
      ),
    lookUp: (reference: string) =>
      ask(`/provider_a/v1/refunds?reference=${reference}`, { headers: { authorization: 'Bearer test-key' } }),
    says: (body?: { status?: string; error?: { code: string } }) => body?.status ?? body?.error?.code,
    words: {
      refunded: 'succeeded',
      pending: 'pending',
      declined: 'refund_declined',
      lookedUpDeclined: 'failed',
      notFound: 'not_found',
      capped: 'amount_exceeds_captured',
      unknown: 'payment_unknown',
      keyReused: 'idempotency_key_reused',
    },
  },
  provider_b: {
    refund: (
      value: string,
      { key = 'k', reference = 'r', payment = 'p', order = 'o', captured = '100.00' }: Refund = {},
    ) =>
      post(
        '/provider_b/refund',
        {
          serviceId: 'SL-1',
          requestKey: key,
          refundReference: reference,
          orderNumber: order,
          transactionId: payment,
          amountMinor: Math.round(Number(value) * 100),
          capturedMinor: captured === null ? null : Math.round(Number(captured) * 100),
          currency: 'USD',
        },
        { authorization: `Basic ${btoa('AT-1:token')}` },
      ),
    lookUp: (reference: string) =>
      ask(`/provider_b/refund-status/${reference}`, { headers: { authorization: `Basic ${btoa('AT-1:token')}` } }),
    says: (body?: { refund?: { state: string }; request?: { errorId: string } }) =>
      body?.refund?.state ?? body?.request?.errorId,
    words: {
      refunded: 'REFUNDED',
      pending: 'PROCESSING',
      declined: 'PB-51',
      lookedUpDeclined: 'DECLINED',
      notFound: 'PB-404',
      capped: 'PB-61',
      unknown: 'PB-44',
      keyReused: 'PB-94',
    },
  },
} as const;

export const truth = async () => (await ask('/refunds')).body;
export const refunded = async () => (await truth()).filter((one: { state: string }) => one.state === 'refunded');
export const lost = async (call: Promise<unknown>) => expect(call).rejects.toThrow('fetch failed');
