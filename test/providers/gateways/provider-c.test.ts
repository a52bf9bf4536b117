import { createProviderC } from '../../../providers/gateways/provider-c.ts';
import type { Reply } from './a-wire.ts';
import { conforms } from './conformance.ts';

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
