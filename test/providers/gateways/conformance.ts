import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { money } from '../../../domain/money/amount.ts';
import { deadlineIn, type Deadline } from '../../../providers/deadline.ts';
import { freePort } from '../../../local/free-port.ts';
import type { PaymentGateway, RefundRequest } from '../../../providers/gateways/payment-gateway.ts';
import { answer, aWire, headOf, type Reply, type SeenRequest, type Wire } from './a-wire.ts';

/** A gateway's own language, as its documentation has it: all that the conformance test has to be told. */
export interface GatewayDialect {
  /** Opens the gateway at an address; every key and token it takes is the given secret. */
  open: (parts: { baseUrl: string; secret: string; lookUpTimeoutMs: number }) => PaymentGateway;
  /** Where in a refund call the three facts stand; money in the currency's smallest coin, or as decimal text. */
  read: (request: SeenRequest) => { key: unknown; reference: unknown; amount: unknown };
  /** How 12.61 of USD, 1261 of JPY and 1.261 of KWD are written. */
  writes: { USD: unknown; JPY: unknown; KWD: unknown };
  /** A payment that cannot be followed, beside "none". */
  untrackable?: string[];
  answers: {
    refunded: (reference: unknown, told: Told) => Reply;
    /** Every documented refusal. `message` is the gateway's own sentence. */
    refusals: (message: string) => Reply[];
    /** 429 and 503, with the words that say it was not looked at. */
    notProcessed: Reply[];
    /** The no of an earlier call with the same key. */
    repeatedRefusal: Reply;
    /** The "not processed" of an earlier call with the same key; absent where none is kept. */
    repeatedNotProcessed?: Reply;
    /** Absent where nothing can be looked up. */
    lookUp?: Record<'refunded' | 'declined' | 'pending', (told: Told) => Reply> & { notFound: Reply };
  };
}

/** The facts of a refund as the gateway repeats them: each may be missing, or garbage. */
export interface Told {
  /** In USD. */
  minor?: unknown;
  currency?: unknown;
  payment?: unknown;
  reference?: unknown;
}

/** What every request here is about. */
const ours = { minor: 1261, currency: 'USD', payment: 'pay_1', reference: 'refund-attempt-7-5b8e' };

/** What is not ours, and the words that say so. */
const others: [string, Told, string][] = [
  ['another amount', { minor: 2000 }, '20.00 USD instead of 12.61 USD'],
  ['another currency', { currency: 'EUR' }, '12.61 EUR instead of 12.61 USD'],
  ['no amount', { minor: undefined }, 'no amount instead of 12.61 USD'],
  ['garbage for an amount', { minor: 'NaN', currency: '$$' }, 'no amount instead of 12.61 USD'],
  ['another payment', { payment: 'pay_9' }, 'payment "pay_9" instead of "pay_1"'],
  ['garbage for a payment', { payment: 7 }, 'no payment instead of "pay_1"'],
  ['another reference', { reference: 'refund-attempt-7' }, 'reference "refund-attempt-7" instead of'],
  ['no reference', { reference: undefined }, 'no reference instead of "refund-attempt-7-5b8e"'],
];

const secret = 'sk_canary_7f3a9c';
let serial = 0;

/**
 * What every gateway has to pass: the key and the reference are sent, the deadline holds to the millisecond, every row of
 * the evidence table in `payment-gateway.ts` comes out as it says, and no secret is ever told.
 */
export function conforms(name: string, dialect: GatewayDialect): void {
  describe(`${name} keeps the contract of a gateway:`, () => {
    let wire: Wire;
    beforeAll(async () => {
      wire = await aWire();
    });
    afterAll(() => wire.stop());
    beforeEach(() => {
      wire.seen = [];
      wire.onRequest = (socket) => socket.destroy();
    });

    // Long enough for a busy machine, where an answer comes.
    const gateway = (baseUrl = wire.url, lookUpTimeoutMs = 10_000) =>
      dialect.open({ baseUrl, secret, lookUpTimeoutMs });
    const says = (reply: Reply) => {
      wire.onRequest = (socket) => answer(socket, reply);
    };
    const refund = (more: Partial<RefundRequest> = {}) => gateway().refund({ ...aRequest(), ...more });
    const yes = (told: Told = {}) => dialect.answers.refunded('re_1', { ...ours, ...told });

    describe('what is sent', () => {
      test('the idempotency key and the merchant reference', async () => {
        says(yes());
        const request = aRequest();
        await gateway().refund(request);
        expect(wire.seen).toHaveLength(1);
        expect(dialect.read(wire.seen[0]!)).toMatchObject({
          key: request.idempotencyKey,
          reference: request.merchantReference,
        });
      });

      test.each([
        ['USD', '12.61'],
        ['JPY', '1261'],
        ['KWD', '1.261'],
      ] as const)('%s in its smallest coin, exactly', async (currencyCode, value) => {
        says(yes());
        await refund({ currencyCode, amount: money(value) });
        expect(dialect.read(wire.seen[0]!).amount).toEqual(dialect.writes[currencyCode]);
      });

      test('nothing for an amount finer than that: provably no refund', async () => {
        expect(await refund({ currencyCode: 'JPY', amount: money('12.61') })).toMatchObject(neverSent);
        expect(wire.seen).toEqual([]);
      });
    });

    describe('the deadline', () => {
      test.each([0, -1, -60_000])('nothing is sent when it was %i ms away', async (ms) => {
        expect(await refund({ deadline: deadlineIn(ms) })).toMatchObject(neverSent);
        expect(wire.seen).toEqual([]);
      });

      test('nothing is sent when it passes while the connection is made', async () => {
        // The process stands still from the moment the connection is asked for until the time is over.
        const deadline = deadlineIn(30);
        const asked = refund({ deadline });
        standStillUntil(deadline);
        expect(await asked).toMatchObject(neverSent);
        expect(wire.seen).toEqual([]);
      });

      test('an answer that takes longer is not waited for, nor one that comes in drops', async () => {
        for (const onRequest of [() => undefined, dripping]) {
          wire.onRequest = onRequest;
          const deadline = deadlineIn(500);
          expect(await refund({ deadline })).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'timeout' });
        }
      });

      test('a look-up ends by itself', async () => {
        wire.onRequest = () => undefined;
        expect((await gateway(wire.url, 400).lookUpRefund(aRequest())).evidence).toBe('unknown');
      });
    });

    describe('provably no refund', () => {
      test('a refused connection', async () => {
        const nobody = `http://127.0.0.1:${await freePort()}`;
        expect(await gateway(nobody).refund(aRequest())).toMatchObject(neverSent);
      });

      test('a name nobody has', async () => {
        expect(await gateway('http://gateway.invalid').refund(aRequest())).toMatchObject(neverSent);
      });

      test('a connection that cannot be secured', async () => {
        const port = await freePort();
        const server = createTlsServer({}).on('tlsClientError', () => undefined);
        await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
        expect(await gateway(`https://127.0.0.1:${port}`).refund(aRequest())).toMatchObject(neverSent);
        await new Promise((resolve) => server.close(resolve));
      });

      test('every documented refusal', async () => {
        for (const reply of dialect.answers.refusals('No.')) {
          says(reply);
          expect(await refund()).toMatchObject({ evidence: 'not_refunded', isFinal: true, endsIntent: true });
        }
      });

      test('429 and 503 where they say that nothing was looked at', async () => {
        for (const reply of dialect.answers.notProcessed) {
          says(reply);
          expect(await refund()).toMatchObject({
            evidence: 'not_refunded',
            isFinal: true,
            gatewayOutcome: 'not_processed',
          });
        }
      });

      test('what was not sent, or not looked at, leaves the intent and its key as they are', async () => {
        const findings = [await gateway(`http://127.0.0.1:${await freePort()}`).refund(aRequest())];
        for (const reply of dialect.answers.notProcessed) {
          says(reply);
          findings.push(await refund());
        }
        for (const finding of findings) expect(finding).not.toHaveProperty('endsIntent');
      });
    });

    test('a yes with its own reference is a refund', async () => {
      says(yes());
      expect(await refund()).toEqual({
        evidence: 'refunded',
        gatewayOutcome: 'approved',
        gatewayReference: 're_1',
      });
    });

    test('a yes that names another attempt of the same intent is that one refund', async () => {
      says(yes({ reference: 'refund-attempt-6-8d1f' }));
      expect(await refund({ ownReferences: [ours.reference, 'refund-attempt-6-8d1f'] })).toMatchObject({
        evidence: 'refunded',
      });
    });

    test('a yes that does not name the payment is a refund: not every gateway tells it', async () => {
      says(yes({ payment: undefined }));
      expect(await refund()).toMatchObject({ evidence: 'refunded' });
    });

    test.each(others)('a yes to %s is a doubt, and says what differs', async (_what, told, words) => {
      says(yes(told));
      const finding = await refund();
      expect(finding).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'other_refund' });
      expect(finding.message).toContain(words);
      expect(finding).not.toHaveProperty('gatewayReference');
    });

    describe('a doubt', () => {
      test.each<[string, () => Reply]>([
        ['a yes without a reference', () => dialect.answers.refunded(undefined, ours)],
        ['a yes with an empty reference', () => dialect.answers.refunded('', ours)],
        ['a yes whose reference is no text', () => dialect.answers.refunded(7, ours)],
        ['a yes whose reference is endless', () => dialect.answers.refunded('r'.repeat(256), ours)],
        ['a yes with 500', () => ({ ...yes(), status: 500 })],
        ['the no of an earlier call with the same key', () => dialect.answers.repeatedRefusal],
        ['a refusal with 500', () => ({ ...dialect.answers.refusals('No.')[0]!, status: 500 })],
        ['500', () => ({ status: 500, body: '<h1>Internal Server Error</h1>' })],
        ['502', () => ({ status: 502, body: '' })],
        ['503 without a word', () => ({ status: 503, body: 'Service Unavailable' })],
        ['429 without a word', () => ({ status: 429, body: '' })],
        ['404 from somebody else', () => ({ status: 404, body: '{"message":"no route"}' })],
        ['400 with a code nobody documented', () => ({ status: 400, body: '{"error":{"code":"news"}}' })],
        ['a redirect', () => ({ status: 307, body: '', headers: { location: wire.url } })],
        ['garbage', () => ({ status: 200, body: '{"status":"succ\u0000' })],
        ['nothing', () => ({ status: 200, body: '' })],
        ['an empty object', () => ({ status: 200, body: {} })],
        ['a list', () => ({ status: 200, body: '[]' })],
        ['null', () => ({ status: 200, body: 'null' })],
        ['a huge body', () => hugeYes(yes())],
      ])('%s', async (_what, reply) => {
        says(reply());
        expect((await refund()).evidence).toBe('unknown');
        expect(wire.seen).toHaveLength(1);
      });

      const { repeatedNotProcessed } = dialect.answers;
      if (repeatedNotProcessed)
        test('the “not processed” of an earlier call with the same key, or it would be told for ever', async () => {
          says(repeatedNotProcessed);
          expect(await refund()).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'repeated_refusal' });
        });

      test.each<[string, Wire['onRequest']]>([
        ['a connection dropped after the request', (socket) => socket.destroy()],
        ['a connection reset after the request', (socket) => socket.resetAndDestroy()],
        ['a connection closed without a word', (socket) => socket.end()],
        ['half an answer', (socket) => socket.end(`${headOf(200, { 'content-length': '500' })}{"result"`)],
        ['no HTTP', (socket) => socket.end('220 mail.example.com ESMTP\r\n')],
      ])('%s', async (_what, onRequest) => {
        wire.onRequest = onRequest;
        expect(await refund()).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'connection_lost' });
        expect(wire.seen).toHaveLength(1);
      });
    });

    describe('what cannot be followed', () => {
      test('a payment without a reference, or with that of an order', () => {
        const refusedOnes = [null, '', ...(dialect.untrackable ?? [])];
        expect(refusedOnes.map((payment) => gateway().canTrack(payment))).toEqual(refusedOnes.map(() => false));
        expect(gateway().canTrack('pay_1')).toBe(true);
      });
    });

    describe('a look-up', () => {
      const { lookUp } = dialect.answers;
      const ask = () => gateway().lookUpRefund(aRequest());

      test('is a doubt whenever the gateway cannot say', async () => {
        for (const status of [200, 404, 500, 503]) {
          says({ status, body: '{"message":"sorry"}' });
          expect((await ask()).evidence).toBe('unknown');
        }
        expect((await gateway(`http://127.0.0.1:${await freePort()}`).lookUpRefund(aRequest())).evidence).toBe(
          'unknown',
        );
      });

      if (!lookUp) {
        test('asks nobody: such an attempt is resolved by hand', async () => {
          expect(gateway().canLookUp).toBe(false);
          await ask();
          expect(wire.seen).toEqual([]);
        });
        return;
      }

      test('asks by the merchant reference', async () => {
        says(lookUp.refunded(ours));
        expect(gateway().canLookUp).toBe(true);
        await ask();
        expect(wire.seen[0]?.head).toContain(ours.reference);
      });

      test.each([
        ['refunded', lookUp.refunded(ours), { evidence: 'refunded', gatewayReference: 're_1' }],
        ['declined on record', lookUp.declined(ours), { evidence: 'not_refunded', isFinal: true, endsIntent: true }],
        ['in progress', lookUp.pending(ours), { evidence: 'unknown', gatewayOutcome: 'pending' }],
        ['knows of none', lookUp.notFound, { evidence: 'not_refunded', gatewayOutcome: 'not_found' }],
      ])('%s', async (_what, reply, finding) => {
        says(reply);
        expect(await ask()).toMatchObject(finding);
      });

      test.each(others)('of %s is a doubt: yes, no and not yet say nothing about ours', async (_what, told) => {
        for (const said of [lookUp.refunded, lookUp.declined, lookUp.pending]) {
          says(said({ ...ours, ...told }));
          const finding = await ask();
          expect(finding).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'other_refund' });
          expect(finding).not.toHaveProperty('gatewayReference');
          expect(finding).not.toHaveProperty('endsIntent');
        }
      });

      test('that knows of none is never final', async () => {
        says(lookUp.notFound);
        expect(await ask()).not.toHaveProperty('isFinal');
      });
    });

    test('no secret and no card is told, whatever the gateway repeats', async () => {
      for (const message of [`Bad key ${secret}!`, `card 4111111111111111`, 'a\u0000b\nc', 'x'.repeat(5_000)]) {
        for (const reply of dialect.answers.refusals(message)) {
          says(reply);
          const told = JSON.stringify(await refund());
          expect(told).not.toContain(secret);
          expect(told).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
          expect(told).not.toMatch(/4111111111111111|\\u0000|\\n/);
          expect(told.length).toBeLessThan(1_000);
        }
      }
    });
  });
}

const neverSent = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'not_sent' };

function aRequest(): RefundRequest {
  serial += 1;
  return {
    idempotencyKey: `return-${serial}-1-126100`,
    merchantReference: ours.reference,
    ownReferences: [ours.reference],
    orderReference: '000000042',
    paymentReference: 'pay_1',
    amount: money('12.61'),
    currencyCode: 'USD',
    capturedAmount: money('40'),
    deadline: deadlineIn(5_000),
  };
}

/** As a frozen process does: no timer and no connection gets its turn. */
function standStillUntil(deadline: Deadline): void {
  while (deadline.remainingMs() > 0);
}

const dripping: Wire['onRequest'] = (socket) => {
  socket.write(headOf(200, { 'content-length': '100000' }));
  const drip = setInterval(() => socket.write(' '), 10);
  socket.on('close', () => clearInterval(drip));
};

/** A proper yes with a megabyte of blanks before its end: nobody waits for that to be read. */
const hugeYes = (reply: Reply): Reply => ({
  ...reply,
  body: `${JSON.stringify(reply.body).slice(0, -1)}${' '.repeat(1_000_000)}}`,
});
