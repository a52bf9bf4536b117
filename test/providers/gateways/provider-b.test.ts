import { createProviderB } from '../../../providers/gateways/provider-b.ts';
import type { Reply } from './a-wire.ts';
import type { ReportedFields } from './a-dialect.ts';
import { conforms } from './conformance.ts';

const refund = (refundId: unknown, state: string, { minor, currency, payment, reference }: ReportedFields): Reply => ({
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
