import { beforeAll, describe, expect, test } from '@jest/globals';
import { minorText } from '../../../domain/currency-texts.ts';
import { freePort } from '../../../local/free-port.ts';
import { createProviderA, createProviderC } from '../../../providers/gateways/gateways.ts';
import { createProviderB } from '../../../providers/gateways/provider-b.ts';
import type { PaymentGateway } from '../../../providers/gateways/payment-gateway.ts';
import { pageSample } from '../../support/page-sample.ts';
import type { ReportedFields } from './a-dialect.ts';
import type { Reply } from './a-wire.ts';
import { conforms } from './conformance.ts';
import {
  accountWith,
  cards,
  control,
  elsewhere,
  gatewayOf,
  gatewaysAt,
  reallyRefunded,
  request,
  simulator,
  startsTheSimulator,
} from './gateways-at-the-simulator.ts';

/** What the sample of the guide exports. */
interface Acme {
  createAcme: (settings: { baseUrl: string; apiKey: string; lookUpTimeoutMs: number }) => PaymentGateway;
}

describe('provider a', () => {
  const refund = (id: unknown, status: string, { minor, currency, payment, reference }: ReportedFields): Reply => {
    const value = typeof minor === 'number' ? minorText(minor, 'USD') : minor;
    const amount = { value, currency };
    return { status: 200, body: { id, status, amount, payment_id: payment, reference, failure_code: null } };
  };
  const failure = (status: number, code: string, message = 'No.'): Reply => ({
    status,
    body: { error: { code, message } },
  });

  conforms('provider_a', {
    open: ({ baseUrl, secret, lookUpTimeoutMs }) => createProviderA({ baseUrl, apiKey: secret, lookUpTimeoutMs }),
    read: ({ head, body }) => {
      const { reference, amount } = JSON.parse(body) as { reference: string; amount: object };
      return { key: /^idempotency-key: (.*)$/im.exec(head)?.[1], reference, amount };
    },
    writes: {
      USD: { value: '12.61', currency: 'USD' },
      JPY: { value: '1261', currency: 'JPY' },
      KWD: { value: '1.261', currency: 'KWD' },
    },
    untrackable: ['ord_8ba1'],
    answers: {
      refunded: (id, reported) => ({ ...refund(id, 'succeeded', reported), status: 201 }),
      refusals: (message) => [
        failure(402, 'refund_declined', message),
        failure(422, 'amount_exceeds_captured', message),
        failure(422, 'payment_unknown', message),
        failure(400, 'invalid_request', message),
        failure(401, 'authentication_failed', message),
      ],
      notProcessed: [failure(429, 'rate_limited'), failure(503, 'not_processed')],
      repeatedRefusal: { ...failure(402, 'refund_declined'), headers: { 'idempotent-replayed': 'true' } },
      repeatedNotProcessed: { ...failure(429, 'rate_limited'), headers: { 'idempotent-replayed': 'true' } },
      lookUp: {
        refunded: (reported) => refund('re_1', 'succeeded', reported),
        declined: (reported) => refund('re_1', 'failed', reported),
        pending: (reported) => refund('re_1', 'pending', reported),
        notFound: failure(404, 'not_found'),
      },
    },
  });
});

describe('provider b', () => {
  const refund = (
    refundId: unknown,
    state: string,
    { minor, currency, payment, reference }: ReportedFields,
  ): Reply => ({
    status: 200,
    body: {
      request: { result: '1', errorId: '', errorMessage: '' },
      refund: {
        refundId,
        state,
        amountMinor: minor,
        currency,
        transactionId: payment,
        refundReference: reference,
      },
    },
  });
  const failure = (errorId: string, errorMessage = 'No.', more: object = {}): Reply => ({
    status: 200,
    body: { request: { result: '0', errorId, errorMessage, ...more }, refund: null },
  });

  conforms('provider_b', {
    open: ({ baseUrl, secret, lookUpTimeoutMs }) =>
      createProviderB({ baseUrl, tokenCode: 'T-1', apiToken: secret, serviceId: 'SL-1', lookUpTimeoutMs }),
    read: ({ body }) => {
      const { requestKey, refundReference, amountMinor } = JSON.parse(body) as Record<string, unknown>;
      return { key: requestKey, reference: refundReference, amount: amountMinor };
    },
    writes: { USD: 1261, JPY: 1261, KWD: 1261 },
    answers: {
      refunded: (refundId, reported) => refund(refundId, 'REFUNDED', reported),
      refusals: (message) => [
        ...['PB-51', 'PB-61', 'PB-44', 'PB-30'].map((errorId) => failure(errorId, message)),
        { ...failure('PB-401', message), status: 401 },
      ],
      notProcessed: [429, 503].map((status) => ({ ...failure('PB-503'), status })),
      repeatedRefusal: failure('PB-51', 'No.', { repeated: true }),
      repeatedNotProcessed: { ...failure('PB-503', 'Later.', { repeated: true }), status: 503 },
      lookUp: {
        refunded: (reported) => refund('re_1', 'REFUNDED', reported),
        declined: (reported) => refund('re_1', 'DECLINED', reported),
        pending: (reported) => refund('re_1', 'PROCESSING', reported),
        notFound: failure('PB-404', 'not_found'),
      },
    },
  });
});

describe('provider c', () => {
  const refusal = (reason: string, text = 'No.', stored = false): Reply => ({
    status: 409,
    body: { result: 'refused', reason, text, stored },
  });

  conforms('provider_c', {
    open: ({ baseUrl, secret }) => createProviderC({ baseUrl, merchantKey: secret }),
    read: ({ head, body }) => {
      const { note, minor } = JSON.parse(body) as Record<string, unknown>;
      return { key: /^x-once: (.*)$/im.exec(head)?.[1], reference: note, amount: minor };
    },
    writes: { USD: 1261, JPY: 1261, KWD: 1261 },
    answers: {
      refunded: (refundNo, { minor, currency, payment, reference }) => ({
        status: 200,
        body: { result: 'ok', refund_no: refundNo, minor, currency, payment, note: reference },
      }),
      refusals: (text) =>
        ['declined', 'amount_exceeds_captured', 'payment_unknown', 'invalid_request', 'authentication_failed'].map(
          (reason) => refusal(reason, text),
        ),
      notProcessed: [429, 503].map((status) => ({ status, body: { result: 'busy', text: 'Later.' } })),
      repeatedRefusal: refusal('declined', 'No.', true),
    },
  });
});

describe('acme', () => {
  let createAcme: Acme['createAcme'];
  beforeAll(async () => ({ createAcme } = await pageSample<Acme>('docs/extend/gateway.md')));

  const refusal = (reason: string, text: string, kept = false): Reply => ({
    status: 409,
    body: { state: 'refused', reason, text, kept },
  });
  const lookedUp =
    (body: object) =>
    (reported: ReportedFields): Reply => ({ status: 200, body: { ...body, ...reported } });

  conforms('the sample of docs/extend/gateway.md', {
    open: ({ baseUrl, secret, lookUpTimeoutMs }) => createAcme({ baseUrl, apiKey: secret, lookUpTimeoutMs }),
    read: ({ head, body }) => {
      const { reference, minor } = JSON.parse(body) as Record<string, unknown>;
      return { key: /^idempotency-key: (.*)$/im.exec(head)?.[1], reference, amount: minor };
    },
    writes: { USD: 1261, JPY: 1261, KWD: 1261 },
    answers: {
      refunded: (id, reported) => ({ status: 200, body: { state: 'refunded', id, ...reported } }),
      refusals: (text) =>
        ['declined', 'too_much', 'no_such_payment', 'bad_request', 'bad_key'].map((reason) => refusal(reason, text)),
      notProcessed: [429, 503].map((status) => ({ status, body: { state: 'busy', text: 'Later.' } })),
      repeatedRefusal: refusal('declined', 'No.', true),
      lookUp: {
        refunded: lookedUp({ state: 'refunded', id: 're_1' }),
        declined: lookedUp({ state: 'refused', reason: 'declined', kept: true }),
        pending: lookedUp({ state: 'pending' }),
        notFound: { status: 404, body: { state: 'unknown' } },
      },
    },
  });
});

describe('simulated gateways', () => {
  startsTheSimulator();

  test.each(
    cards.flatMap((method) =>
      (
        [
          ['12.00', 'refunded', 'refunded', 1],
          ['12.51', 'not_refunded', 'not_refunded', 0],
          ['12.52', 'unknown', 'not_refunded', 0],
          ['12.61', 'unknown', 'refunded', 1],
          ['12.62', 'unknown', 'refunded', 1],
          ['12.63', 'unknown', 'not_refunded', 0],
          ['12.64', 'unknown', 'refunded', 1],
          ['12.65', 'unknown', 'refunded', 1],
          ['12.71', 'unknown', 'unknown', 1],
          ['12.72', 'unknown', 'not_refunded', 1],
          ['12.73', 'unknown', 'unknown', 1],
          ['12.81', 'refunded', 'refunded', 1],
        ] as const
      ).map((row) => [method, ...row] as const),
    ),
  )(
    '%s: a refund of %s is %s, its look-up %s, and %i really went out',
    async (method, amount, evidence, lookedUp, refunds) => {
      const gateway = await gatewayOf(method);
      const asked = request(amount);
      const said = gateway.canLookUp ? lookedUp : 'unknown';

      expect((await gateway.refund(asked)).evidence).toBe(evidence);
      expect((await gateway.lookUpRefund(asked)).evidence).toBe(said);
      expect(await reallyRefunded()).toBe(refunds);
    },
  );

  test.each(cards)('%s: a yes carries the gateway’s own reference', async (method) => {
    const answer = await (await gatewayOf(method)).refund(request('5.00'));
    expect(answer).toMatchObject({ evidence: 'refunded', gatewayOutcome: 'approved' });
    expect(answer.gatewayReference).toMatch(/./);
  });

  test.each(['card_a', 'card_b'])('%s: a recorded decline is final, an unknown refund is not', async (method) => {
    const gateway = await gatewayOf(method);
    const declined = request('12.52');
    await gateway.refund(declined);
    expect(await gateway.lookUpRefund(declined)).toMatchObject({
      evidence: 'not_refunded',
      isFinal: true,
    });
    expect(await gateway.lookUpRefund({ ...declined, merchantReference: 'refund-attempt-never' })).not.toHaveProperty(
      'isFinal',
    );
  });

  test.each(cards)('%s: the same intent twice is one refund', async (method) => {
    const gateway = await gatewayOf(method);
    const first = request('7.00');
    await gateway.refund(first);
    expect((await gateway.refund({ ...first, merchantReference: 'refund-attempt-zombie' })).evidence).toBe('refunded');
    expect(await reallyRefunded()).toBe(1);
  });

  test.each(cards)('%s: a gateway that is not there provably refunded nothing', async (method) => {
    const gateway = await gatewayOf(method, `http://127.0.0.1:${await freePort()}`);
    expect(await gateway.refund(request('5.00'))).toMatchObject({
      evidence: 'not_refunded',
      isFinal: true,
      gatewayOutcome: 'not_sent',
    });
  });

  test.each(cards)('%s: nothing is sent after the deadline', async (method) => {
    const gateway = await gatewayOf(method);
    expect(await gateway.refund(request('5.00', -1))).toMatchObject({
      evidence: 'not_refunded',
      gatewayOutcome: 'not_sent',
    });
    expect(await reallyRefunded()).toBe(0);
  });

  test('an offline method has no gateway', async () => {
    expect(await gatewaysAt(simulator.url).for({ paymentMethod: 'checkmo', storeId: 1 })).toBeUndefined();
  });

  test('a processor with an address of its own is asked there, with or without a simulator', async () => {
    const own = { 'vendor_pos_terminal/provider_c/base_url': `${simulator.url}/provider_c/` };
    for (const elsewhere of [undefined, 'http://127.0.0.1:9']) {
      const gateways = gatewaysAt(elsewhere, own);
      const gateway = await gateways.for({ paymentMethod: 'card_c', storeId: 1 });
      expect(await gateway?.refund(request('5.00'))).toMatchObject({ evidence: 'refunded' });
    }
    expect(await reallyRefunded()).toBe(2);
    expect(await gatewaysAt(undefined, own).for({ paymentMethod: 'card_a', storeId: 1 })).toBeUndefined();
  });

  test.each([
    ['another key', { 'vendor_pos_terminal/provider_a/api_key': 'sk_live_2' }],
    ['test mode', { 'vendor_pos_terminal/provider_a/test_mode': '1' }],
    ['another address', { 'vendor_pos_terminal/provider_a/base_url': 'https://pay.example' }],
  ])('%s is another account of a processor, and no account tells its key', async (_what, own) => {
    const account = await accountWith({});

    expect(await accountWith({})).toBe(account);
    expect(await accountWith(own)).not.toBe(account);
    expect(await accountWith(own)).toMatch(/^[0-9a-f]{32}$/);
  });

  test('an invalid address: provably no refund', async () => {
    const gateways = gatewaysAt(undefined, { 'vendor_pos_terminal/provider_a/base_url': 'live.example' });
    const gateway = await gateways.for({ paymentMethod: 'card_a', storeId: 1 });
    expect(await gateway?.refund(request('5.00'))).toMatchObject({
      evidence: 'not_refunded',
      gatewayOutcome: 'not_sent',
    });
  });

  test.each(cards)('%s: the no of an earlier call with the same key is old news', async (method) => {
    const gateway = await gatewayOf(method);
    const first = request('12.52');
    await gateway.refund(first);

    const again = await gateway.refund({ ...first, merchantReference: 'refund-attempt-later' });

    expect(again).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'repeated_refusal' });
  });

  test('what was taken through an order-based interface cannot be followed', async () => {
    const taken = await control('../payments', {
      provider: 'provider_a',
      amount: '5.00',
      currency: 'USD',
      reference: 'sale-1',
      interface: 'order',
    });
    const { order_id: orderId } = (await taken.json()) as { order_id: string };
    expect((await gatewayOf('card_a')).canTrack(orderId)).toBe(false);
  });

  test.each(['card_a', 'card_b'])(
    '%s: what was given back of a payment is listed, also what others asked for',
    async (method) => {
      const gateway = await gatewayOf(method);
      const asked = { ...request('12.00'), paymentReference: 'pay_of_a_list' };
      const answer = await gateway.refund(asked);
      await gateway.refund({ ...request('12.51'), paymentReference: 'pay_of_a_list' });
      const away = await gatewayOf(method, `http://127.0.0.1:${await freePort()}`);

      expect(await gateway.refundsOf?.('pay_of_a_list')).toEqual([
        {
          gatewayReference: answer.gatewayReference,
          merchantReference: asked.merchantReference,
          amountText: '12.00 USD',
        },
      ]);
      expect(await gateway.refundsOf?.('pay_of_nobody')).toEqual([]);
      expect(await away.refundsOf?.('pay_of_a_list')).toBeUndefined();
    },
  );

  test.each(['card_a', 'card_b'])(
    '%s: another installation’s refund under our reference is no answer to ours, neither yes nor no',
    async (method) => {
      const gateway = await gatewayOf(method);
      const theirs = elsewhere('20.00');
      const declinedThere = elsewhere('20.51');
      for (const one of [theirs, declinedThere]) await gateway.refund(one);

      for (const name of [theirs.merchantReference, declinedThere.merchantReference]) {
        const ours = { ...request('31.40'), merchantReference: name, ownReferences: [name] };
        const said = await gateway.lookUpRefund(ours);

        expect(said).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'other_refund' });
        expect(said.message).toMatch(/20\.\d\d USD instead of 31\.40 USD/);
        expect(said).not.toHaveProperty('gatewayReference');
      }
    },
  );

  test.each(cards)('%s: another installation’s refund under our key and of our amount is a doubt', async (method) => {
    const gateway = await gatewayOf(method);
    const theirs = elsewhere('20.00');
    await gateway.refund(theirs);

    const said = await gateway.refund({
      ...theirs,
      merchantReference: 'refund-attempt-17-of-ours',
      ownReferences: ['refund-attempt-17-of-ours'],
    });

    expect(said).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'other_refund' });
    expect(said.message).toContain(`reference "${theirs.merchantReference}" instead of "refund-attempt-17-of-ours"`);
    expect(await reallyRefunded()).toBe(1);
  });
});
