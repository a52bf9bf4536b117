import { randomBytes } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { inMinorUnits, minorText } from '../../../domain/currency-texts.ts';
import { amount, coinOf, parseAmount, type Amount } from '../../../domain/money.ts';
import type { Ledger, Verdict } from './ledger.ts';
import {
  centsTable,
  deliver,
  outcomes,
  providerKeys,
  type Call,
  type Modes,
  type Reason,
  type Refund,
  type Reply,
} from './records.ts';

/** 1261 cents of USD → 12.61. */
export const fromMinor = (minor: number, currency: string): Amount => amount(minor * coinOf(currency));

/** 12.61 USD → 1261. Undefined for an amount finer than the currency's smallest coin. */
export const toMinor = inMinorUnits;

/** `"12.61"` for USD, `"1261"` for JPY: how a processor writes an amount. It has no finer amounts. */
export const formatMinor = (value: Amount, currency: string): string =>
  minorText(Math.round(value / coinOf(currency)), currency);

/** The most planned outcomes. */
const mostPlanned = 1_000;

const nextBody = z.strictObject({
  outcome: z.enum(outcomes),
  times: z.int().positive().max(mostPlanned).default(1),
});
const strictBody = z.strictObject({ enabled: z.boolean().default(true) });
const modeBody = z.strictObject({
  /** For this processor only: `keys` and `cap`. */
  provider: z.enum(providerKeys).optional(),
  keys: z.enum(['honoured', 'ignored']).optional(),
  cap: z.boolean().optional(),
  silence_ms: z.int().nonnegative().optional(),
  slow_ms: z.int().nonnegative().optional(),
});
const paymentBody = z.strictObject({
  provider: z.enum(providerKeys),
  amount: z.union([z.string(), z.number()]).transform((input, context) => {
    const amount = parseAmount(String(input));
    if (amount !== undefined && amount > 0) return amount;
    context.addIssue({ code: 'custom', message: `"${input}" is not an amount` });
    return z.NEVER;
  }),
  currency: z.string().regex(/^[A-Z]{3}$/),
  reference: z.string().min(1),
  interface: z.enum(['payment', 'order']).default('payment'),
});

/** For people and tests: what the simulator did, what it will do next, and the card terminal it simulates. */
export function control(ledger: Ledger): Router {
  const router = new Router();
  router.get('/cents', (context) => {
    context.body = centsTable;
  });
  router.get('/refunds', (context) => {
    context.body = ledger.refunds.map(renderRefund);
  });
  router.get('/calls', (context) => {
    context.body = ledger.calls.map(renderCall);
  });
  router.get('/control', (context) => {
    context.body = renderControl(ledger);
  });
  router.post('/payments', (context) => {
    const input = parse(paymentBody, context);
    if (!input) return;
    const { interface: through, ...taken } = input;
    // A payment taken by order has no id of its own: it cannot be refunded here, or looked up.
    context.body =
      through === 'order'
        ? { order_id: `ord_${randomBytes(9).toString('hex')}` }
        : { payment_id: ledger.takePayment(taken).id };
  });
  router.post('/control/next', (context) => {
    const plan = parse(nextBody, context);
    if (plan) ledger.plan(plan.outcome, plan.times);
    if (plan) context.body = renderControl(ledger);
  });
  router.post('/control/strict', (context) => {
    const posted = parse(strictBody, context);
    if (posted) ledger.change({ strict: posted.enabled });
    if (posted) context.body = renderControl(ledger);
  });
  router.post('/control/mode', (context) => {
    const values = parse(modeBody, context);
    if (values) ledger.change(modesOf(values, ledger.modes));
    if (values) context.body = renderControl(ledger);
  });
  router.post('/control/reset', (context) => {
    ledger.reset();
    context.body = renderControl(ledger);
  });
  return router;
}

function parse<Schema extends z.ZodType>(schema: Schema, context: Context): z.output<Schema> | undefined {
  const parsed = schema.safeParse(context.request.body ?? {});
  if (parsed.success) return parsed.data;
  context.status = 400;
  context.body = { error: { code: 'invalid_request', message: z.prettifyError(parsed.error) } };
  return undefined;
}

const modesOf = ({ provider, ...input }: z.output<typeof modeBody>, now: Modes): Partial<Modes> =>
  provider === undefined
    ? everywhere(input)
    : { only: { ...now.only, [provider]: { keys: input.keys ?? now.keys, cap: input.cap ?? now.cap } } };

const everywhere = ({ keys, cap, silence_ms, slow_ms }: Omit<z.output<typeof modeBody>, 'provider'>) => ({
  ...(keys === undefined ? {} : { keys }),
  ...(cap === undefined ? {} : { cap }),
  ...(silence_ms === undefined ? {} : { silenceMs: silence_ms }),
  ...(slow_ms === undefined ? {} : { slowMs: slow_ms }),
});

const renderControl = ({ modes, next }: Ledger) => ({
  next,
  keys: modes.keys,
  cap: modes.cap,
  only: modes.only ?? {},
  strict: modes.strict,
  silence_ms: modes.silenceMs,
  slow_ms: modes.slowMs,
});

const renderRefund = (refund: Refund) => ({
  id: refund.id,
  provider: refund.provider,
  idempotency_key: refund.idempotencyKey,
  merchant_references: refund.references,
  order_reference: refund.orderReference,
  payment_id: refund.paymentId,
  known_payment: refund.isKnownPayment,
  amount: formatMinor(refund.amount, refund.currency),
  currency: refund.currency,
  captured_amount: refund.captured === null ? null : formatMinor(refund.captured, refund.currency),
  state: refund.state,
  reason: refund.reason,
  outcome: refund.outcome,
  look_ups: refund.lookUps,
  at: refund.at,
});

const renderCall = (call: Call) => ({
  provider: call.provider,
  idempotency_key: call.idempotencyKey,
  merchant_reference: call.merchantReference,
  amount: formatMinor(call.amount, call.currency),
  currency: call.currency,
  outcome: call.outcome,
  answered: call.manner,
  at: call.at,
});

const refundBody = z.strictObject({
  serviceId: z.string().min(1),
  requestKey: z.string().min(1),
  refundReference: z.string().min(1),
  orderNumber: z.string().nullish(),
  transactionId: z.string().min(1).nullish(),
  amountMinor: z.int().positive(),
  capturedMinor: z.int().positive().nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});

const refusals: Record<Reason, { errorId: string; errorMessage: string }> = {
  refund_declined: { errorId: 'PB-51', errorMessage: 'Refund declined by issuer' },
  amount_exceeds_captured: { errorId: 'PB-61', errorMessage: 'Exceeds captured amount' },
  payment_unknown: { errorId: 'PB-44', errorMessage: 'Transaction unknown' },
};

/** The second processor's API: camelCase, minor units, and 200 for every answer of its own. */
export function providerB(ledger: Ledger): Router {
  const router = new Router({ prefix: '/provider_b' });
  router.use(async (context, next) => {
    if (isAuthorised(context.get('authorization'))) return next();
    return answer(context, { ...failure('PB-401', 'Token code or API token wrong'), status: 401 });
  });
  router.post('/refund', async (context) => {
    const parsed = refundBody.safeParse(context.request.body);
    if (!parsed.success) return answer(context, failure('PB-30', z.prettifyError(parsed.error)));
    const { requestKey, refundReference, orderNumber, transactionId, amountMinor, capturedMinor, currency } =
      parsed.data;
    const verdict = ledger.refund({
      provider: 'provider_b',
      idempotencyKey: requestKey,
      merchantReference: refundReference,
      orderReference: orderNumber ?? null,
      paymentId: transactionId ?? null,
      amount: fromMinor(amountMinor, currency),
      currency,
      captured: capturedMinor ? fromMinor(capturedMinor, currency) : null,
    });
    return deliver(context, { manner: verdict.manner, modes: ledger.modes, reply: replyTo(verdict) });
  });
  router.get('/refund-status/:reference', (context) =>
    answer(context, lookUp(ledger, String(context.params['reference']))),
  );
  router.get('/refunds-of/:transaction', (context) => {
    const refunds = ledger.refundsOf('provider_b', String(context.params['transaction']));
    const body = {
      request: { result: '1', errorId: '', errorMessage: '' },
      refunds: refunds.map((one) => render(one, settledState(one), false)),
    };
    return answer(context, { status: 200, body });
  });
  return router;
}

/** Basic authentication with the token code and the API token. */
function isAuthorised(header: string): boolean {
  const [, credentials = ''] = /^Basic (\S+)$/.exec(header) ?? [];
  return /^[^:]+:(?!wrong).+$/.test(Buffer.from(credentials, 'base64').toString());
}

function replyTo(verdict: Verdict): Reply {
  if (verdict.said === 'key_reused') return failure('PB-94', 'requestKey was used for another refund');
  if (verdict.said === 'nothing') return { status: 200, body: '' };
  const { refund, isRepeated } = verdict;
  if (refund.reason === null) return success(render(refund, 'REFUNDED', isRepeated));
  const refusal = { result: '0', ...refusals[refund.reason], repeated: isRepeated };
  return { status: 200, body: { request: refusal, refund: null } };
}

function lookUp(ledger: Ledger, merchantReference: string): Reply {
  const found = ledger.lookUp({ provider: 'provider_b', merchantReference });
  if (found.says === 'not_found') return failure('PB-404', 'not_found');
  if (found.says === 'unavailable') return { status: 503, body: 'Service Unavailable' };
  return success(render(found.refund, found.says === 'pending' ? 'PROCESSING' : settledState(found.refund), false));
}

const settledState = ({ state }: Refund) => (state === 'refunded' ? 'REFUNDED' : 'DECLINED');

const render = (refund: Refund, state: 'REFUNDED' | 'DECLINED' | 'PROCESSING', isRepeated: boolean) => ({
  refundId: refund.id,
  state,
  refundReference: refund.merchantReference,
  transactionId: refund.paymentId,
  amountMinor: toMinor(refund.amount, refund.currency),
  currency: refund.currency,
  repeated: isRepeated,
  createdAt: refund.at,
});

const success = (refund: ReturnType<typeof render>): Reply => ({
  status: 200,
  body: { request: { result: '1', errorId: '', errorMessage: '' }, refund },
});

const failure = (errorId: string, errorMessage: string): Reply => ({
  status: 200,
  body: { request: { result: '0', errorId, errorMessage }, refund: null },
});

function answer(context: Context, reply: Reply): void {
  Object.assign(context, reply);
}
