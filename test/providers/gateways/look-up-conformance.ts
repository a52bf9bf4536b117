import { describe, expect, test } from '@jest/globals';
import { freePort } from '../../../local/free-port.ts';

import { type atAWire, type GatewayDialect, ours, others, aRequest } from './a-dialect.ts';

/** What can be looked up later, and what a look-up is believed. */
export function lookUpsConform(dialect: GatewayDialect, { at, gateway, says }: ReturnType<typeof atAWire>): void {
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
      expect((await gateway(`http://127.0.0.1:${await freePort()}`).lookUpRefund(aRequest())).evidence).toBe('unknown');
    });

    if (!lookUp) {
      test('asks nobody: such an attempt is resolved by hand', async () => {
        expect(gateway().canLookUp).toBe(false);
        await ask();
        expect(at.wire.seen).toEqual([]);
      });
      return;
    }

    test('asks by the merchant reference', async () => {
      says(lookUp.refunded(ours));
      expect(gateway().canLookUp).toBe(true);
      await ask();
      expect(at.wire.seen[0]?.head).toContain(ours.reference);
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

    test.each(others)('of %s is a doubt: yes, no and not yet say nothing about ours', async (_what, reported) => {
      for (const said of [lookUp.refunded, lookUp.declined, lookUp.pending]) {
        says(said({ ...ours, ...reported }));
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
}
