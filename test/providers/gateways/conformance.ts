import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { money } from '../../../domain/money.ts';
import { deadlineIn } from '../../../providers/deadline.ts';
import { freePort } from '../../../local/free-port.ts';
import { headOf, type Reply, type Wire } from './a-wire.ts';

import {
  atAWire,
  type GatewayDialect,
  ours,
  others,
  secret,
  neverSent,
  aRequest,
  standStillUntil,
  dripping,
  hugeYes,
} from './a-dialect.ts';
import { lookUpsConform } from './look-up-conformance.ts';

/**
 * What every gateway has to pass: the key and the reference are sent, the deadline holds to the millisecond, every row
 * of the evidence table in `payment-gateway.ts` comes out as it says, and no secret is ever told.
 */
export function conforms(name: string, dialect: GatewayDialect): void {
  describe(`${name} keeps the contract of a gateway:`, () => {
    const table = atAWire(dialect);
    const { at, gateway, says, refund, yes } = table;

    describe('what is sent', () => {
      test('the idempotency key and the merchant reference', async () => {
        says(yes());
        const request = aRequest();
        await gateway().refund(request);
        expect(at.wire.seen).toHaveLength(1);
        expect(dialect.read(at.wire.seen[0]!)).toMatchObject({
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
        expect(dialect.read(at.wire.seen[0]!).amount).toEqual(dialect.writes[currencyCode]);
      });

      test('nothing for an amount finer than that: provably no refund', async () => {
        expect(await refund({ currencyCode: 'JPY', amount: money('12.61') })).toMatchObject(neverSent);
        expect(at.wire.seen).toEqual([]);
      });
    });

    describe('the deadline', () => {
      test.each([0, -1, -60_000])('nothing is sent when it was %i ms away', async (ms) => {
        expect(await refund({ deadline: deadlineIn(ms) })).toMatchObject(neverSent);
        expect(at.wire.seen).toEqual([]);
      });

      test('nothing is sent when it passes while the connection is made', async () => {
        // The process stands still from the moment the connection is asked for until the time is over.
        const deadline = deadlineIn(30);
        const asked = refund({ deadline });
        standStillUntil(deadline);
        expect(await asked).toMatchObject(neverSent);
        expect(at.wire.seen).toEqual([]);
      });

      test('an answer that takes longer is not waited for, nor one that comes in drops', async () => {
        for (const onRequest of [() => undefined, dripping]) {
          at.wire.onRequest = onRequest;
          const deadline = deadlineIn(500);
          expect(await refund({ deadline })).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'timeout' });
        }
      });

      test('a look-up ends by itself', async () => {
        at.wire.onRequest = () => undefined;
        expect((await gateway(at.wire.url, 400).lookUpRefund(aRequest())).evidence).toBe('unknown');
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

    test.each(others)('a yes to %s is a doubt, and says what differs', async (_what, reported, words) => {
      says(yes(reported));
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
        ['a redirect', () => ({ status: 307, body: '', headers: { location: at.wire.url } })],
        ['garbage', () => ({ status: 200, body: '{"status":"succ\u0000' })],
        ['nothing', () => ({ status: 200, body: '' })],
        ['an empty object', () => ({ status: 200, body: {} })],
        ['a list', () => ({ status: 200, body: '[]' })],
        ['null', () => ({ status: 200, body: 'null' })],
        ['a huge body', () => hugeYes(yes())],
      ])('%s', async (_what, reply) => {
        says(reply());
        expect((await refund()).evidence).toBe('unknown');
        expect(at.wire.seen).toHaveLength(1);
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
        at.wire.onRequest = onRequest;
        expect(await refund()).toMatchObject({ evidence: 'unknown', gatewayOutcome: 'connection_lost' });
        expect(at.wire.seen).toHaveLength(1);
      });
    });

    lookUpsConform(dialect, table);

    test('no secret and no card is told, whatever the gateway repeats', async () => {
      for (const message of [`Bad key ${secret}!`, `card 4111111111111111`, 'a\u0000b\nc', 'x'.repeat(5_000)]) {
        for (const reply of dialect.answers.refusals(message)) {
          says(reply);
          const reported = JSON.stringify(await refund());
          expect(reported).not.toContain(secret);
          expect(reported).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
          expect(reported).not.toMatch(/4111111111111111|\\u0000|\\n/);
          expect(reported.length).toBeLessThan(1_000);
        }
      }
    });
  });
}
