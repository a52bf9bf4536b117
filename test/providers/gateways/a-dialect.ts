import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { money } from '../../../domain/money.ts';
import { deadlineIn, type Deadline } from '../../../providers/deadline.ts';
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
    refunded: (reference: unknown, reported: ReportedFields) => Reply;
    /** Every documented refusal. `message` is the gateway's own sentence. */
    refusals: (message: string) => Reply[];
    /** 429 and 503, with the words that say it was not looked at. */
    notProcessed: Reply[];
    /** The no of an earlier call with the same key. */
    repeatedRefusal: Reply;
    /** The "not processed" of an earlier call with the same key; absent where none is kept. */
    repeatedNotProcessed?: Reply;
    /** Absent where nothing can be looked up. */
    lookUp?: Record<'refunded' | 'declined' | 'pending', (reported: ReportedFields) => Reply> & { notFound: Reply };
  };
}

/** The facts of a refund as the gateway repeats them: each may be missing, or garbage. */
export interface ReportedFields {
  /** In USD. */
  minor?: unknown;
  currency?: unknown;
  payment?: unknown;
  reference?: unknown;
}

/** What every request here is about. */
export const ours = { minor: 1261, currency: 'USD', payment: 'pay_1', reference: 'refund-attempt-7-5b8e' };

/** What is not ours, and the words that say so. */
export const others: [string, ReportedFields, string][] = [
  ['another amount', { minor: 2000 }, '20.00 USD instead of 12.61 USD'],
  ['another currency', { currency: 'EUR' }, '12.61 EUR instead of 12.61 USD'],
  ['no amount', { minor: undefined }, 'no amount instead of 12.61 USD'],
  ['garbage for an amount', { minor: 'NaN', currency: '$$' }, 'no amount instead of 12.61 USD'],
  ['another payment', { payment: 'pay_9' }, 'payment "pay_9" instead of "pay_1"'],
  ['garbage for a payment', { payment: 7 }, 'no payment instead of "pay_1"'],
  ['another reference', { reference: 'refund-attempt-7' }, 'reference "refund-attempt-7" instead of'],
  ['no reference', { reference: undefined }, 'no reference instead of "refund-attempt-7-5b8e"'],
];

export const secret = 'sk_canary_7f3a9c';
let serial = 0;

/** A gateway that speaks the dialect, at a wire that breaks every connection unless a test says what it answers. */
export function atAWire(dialect: GatewayDialect) {
  const at = { wire: {} as Wire };
  beforeAll(async () => {
    at.wire = await aWire();
  });
  afterAll(() => at.wire.stop());
  beforeEach(() => {
    at.wire.seen = [];
    at.wire.onRequest = (socket) => socket.destroy();
  });

  // Long enough for a busy machine, where an answer comes.
  const gateway = (baseUrl = at.wire.url, lookUpTimeoutMs = 10_000) =>
    dialect.open({ baseUrl, secret, lookUpTimeoutMs });
  const says = (reply: Reply) => {
    at.wire.onRequest = (socket) => answer(socket, reply);
  };
  const refund = (more: Partial<RefundRequest> = {}) => gateway().refund({ ...aRequest(), ...more });
  const yes = (reported: ReportedFields = {}) => dialect.answers.refunded('re_1', { ...ours, ...reported });
  return { at, gateway, says, refund, yes };
}

export const neverSent = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'not_sent' };

export function aRequest(): RefundRequest {
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
export function standStillUntil(deadline: Deadline): void {
  while (deadline.remainingMs() > 0);
}

export const dripping: Wire['onRequest'] = (socket) => {
  socket.write(headOf(200, { 'content-length': '100000' }));
  const drip = setInterval(() => socket.write(' '), 10);
  socket.on('close', () => clearInterval(drip));
};

/** A proper "yes" with a megabyte of blanks before its end: the gateway does not wait for all of it. */
export const hugeYes = (reply: Reply): Reply => ({
  ...reply,
  body: `${JSON.stringify(reply.body).slice(0, -1)}${' '.repeat(1_000_000)}}`,
});
