import { createProviderA } from '../../../providers/gateways/provider-a.ts';
import type { Reply } from './a-wire.ts';
import { minorText } from '../../../domain/money/minor-units.ts';
import type { ReportedFields } from './a-dialect.ts';
import { conforms } from './conformance.ts';

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
