import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import { koaBody } from 'koa-body';
import { z } from 'zod';
import { parseAmount } from '../../../domain/money.ts';
import { pagePolicy } from '../../little-server.ts';
import { escapeHtml, readPage } from '../../read-page.ts';
import { control, formatMinor, fromMinor, providerB, toMinor } from './control.ts';
import type { Ledger, Verdict } from './ledger.ts';
import { centsTable, deliver, type CentsRow, type Reason, type Refund, type Reply } from './records.ts';

/** A page for people: the outcome of each amount, and what the simulator really did, live. */
function page(): Router {
  const html = readPage(new URL('page.html', import.meta.url), { cents: centsTable.map(row).join('\n') });
  const policy = pagePolicy(html);
  const router = new Router();
  router.get('/', (context) => {
    context.type = 'html';
    context.set('Content-Security-Policy', policy);
    context.body = html;
  });
  return router;
}

const row = ({ cents, outcome, description }: CentsRow) =>
  `<tr>
    <td class="code"><b>.${cents}</b></td>
    <td class="code">${outcome}</td>
    <td>${escapeHtml(description)}</td>
    <td><button type="button" data-next="${outcome}">Next call</button></td>
  </tr>`;

/** Decimal strings, and none finer than the currency's smallest coin. */
const money = z
  .strictObject({ value: z.string(), currency: z.string().regex(/^[A-Z]{3}$/) })
  .transform(({ value, currency }, context) => {
    const amount = parseAmount(value);
    if (amount !== undefined && amount > 0 && toMinor(amount, currency) !== undefined) return { amount, currency };
    context.addIssue({ code: 'custom', message: `"${value}" is not an amount of ${currency}` });
    return z.NEVER;
  });

const refundBody = z.strictObject({
  payment_id: z.string().min(1).nullable(),
  amount: money,
  captured_amount: money.nullish(),
  reference: z.string().min(1),
  order_reference: z.string().nullish(),
});

const refusals: Record<Reason, Reply> = {
  refund_declined: failure(402, 'refund_declined', 'The card issuer refused the refund.'),
  amount_exceeds_captured: failure(422, 'amount_exceeds_captured', 'More would be refunded than was captured.'),
  payment_unknown: failure(422, 'payment_unknown', 'No such payment.'),
};

/** The first processor's API: REST, snake_case, decimal strings, meaningful HTTP statuses. */
function providerA(ledger: Ledger): Router {
  const router = new Router({ prefix: '/provider_a' });
  router.use(async (context, next) => {
    if (/^Bearer (?!wrong)\S+$/.test(context.get('authorization'))) return next();
    return answer(context, failure(401, 'authentication_failed', 'The API key is missing or wrong.'));
  });
  router.post('/v1/refunds', async (context) => {
    const idempotencyKey = context.get('idempotency-key');
    const parsed = refundBody.safeParse(context.request.body);
    if (!idempotencyKey) return answer(context, failure(400, 'invalid_request', 'Idempotency-Key is missing.'));
    if (!parsed.success) return answer(context, failure(400, 'invalid_request', z.prettifyError(parsed.error)));
    const { payment_id, amount: request, captured_amount, reference, order_reference } = parsed.data;
    const verdict = ledger.refund({
      provider: 'provider_a',
      idempotencyKey,
      merchantReference: reference,
      orderReference: order_reference ?? null,
      paymentId: payment_id,
      ...request,
      captured: captured_amount?.amount ?? null,
    });
    return deliver(context, { manner: verdict.manner, modes: ledger.modes, reply: replyTo(verdict) });
  });
  router.get('/v1/refunds', (context) => {
    const { reference, payment_id: paymentId } = context.query;
    if (typeof paymentId === 'string') {
      const data = ledger.refundsOf('provider_a', paymentId).map((one) => render(one, settledStatus(one), false));
      return answer(context, { status: 200, body: { data, has_more: false } });
    }
    if (typeof reference !== 'string')
      return answer(context, failure(400, 'invalid_request', 'Say which: ?reference= or ?payment_id='));
    return answer(context, lookUp(ledger, reference));
  });
  return router;
}

function replyTo(verdict: Verdict): Reply {
  if (verdict.said === 'key_reused')
    return failure(409, 'idempotency_key_reused', 'This key belongs to another refund.');
  if (verdict.said === 'nothing') return { status: 200, body: '' };
  const { refund, isRepeated } = verdict;
  if (refund.reason === null) return { status: isRepeated ? 200 : 201, body: render(refund, 'succeeded', isRepeated) };
  const refusal = refusals[refund.reason];
  return isRepeated ? { ...refusal, headers: { 'idempotent-replayed': 'true' } } : refusal;
}

function lookUp(ledger: Ledger, merchantReference: string): Reply {
  const found = ledger.lookUp({ provider: 'provider_a', merchantReference });
  if (found.says === 'not_found') return failure(404, 'not_found', 'No refund has this reference.');
  if (found.says === 'unavailable') return failure(503, 'unavailable', 'Refunds cannot be looked up at the moment.');
  return {
    status: 200,
    body: render(found.refund, found.says === 'pending' ? 'pending' : settledStatus(found.refund), false),
  };
}

const settledStatus = ({ state }: Refund) => (state === 'refunded' ? 'succeeded' : 'failed');

const render = (refund: Refund, status: 'succeeded' | 'failed' | 'pending', isRepeated: boolean) => ({
  id: refund.id,
  status,
  amount: { value: formatMinor(refund.amount, refund.currency), currency: refund.currency },
  payment_id: refund.paymentId,
  known_payment: refund.isKnownPayment,
  reference: refund.merchantReference,
  failure_code: refund.reason,
  idempotent_replay: isRepeated,
  created_at: refund.at,
});

function failure(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } };
}

function answer(context: Context, reply: Reply): void {
  Object.assign(context, reply);
}

const giveBackBody = z.strictObject({
  minor: z.int().positive(),
  captured_minor: z.int().positive().nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  note: z.string().min(1),
  order: z.string().nullish(),
});

/** The third processor's API: one route, one word for each outcome, and no records to ask for. */
function providerC(ledger: Ledger): Router {
  const router = new Router({ prefix: '/provider_c' });
  router.use(async (context, next) => {
    if (/^(?!wrong)\S+$/.test(context.get('x-merchant-key'))) return next();
    return void Object.assign(context, refusal('authentication_failed', 'The merchant key is missing or wrong.'));
  });
  router.post('/payments/:payment/give-back', async (context) => {
    const key = context.get('x-once');
    const parsed = giveBackBody.safeParse(context.request.body);
    if (!key || !parsed.success) {
      return void Object.assign(context, refusal('invalid_request', key ? 'The body is wrong.' : 'X-Once is missing.'));
    }
    const { minor, captured_minor, currency, note, order } = parsed.data;
    const verdict = ledger.refund({
      provider: 'provider_c',
      idempotencyKey: key,
      merchantReference: note,
      orderReference: order ?? null,
      paymentId: String(context.params['payment']),
      amount: fromMinor(minor, currency),
      currency,
      captured: captured_minor ? fromMinor(captured_minor, currency) : null,
    });
    return deliver(context, { manner: verdict.manner, modes: ledger.modes, reply: providerCReplyTo(verdict) });
  });
  return router;
}

function providerCReplyTo(verdict: Verdict): Reply {
  if (verdict.said === 'key_reused') return refusal('key_of_another_refund', 'X-Once was used for another refund.');
  if (verdict.said === 'nothing') return { status: 200, body: '' };
  const { refund, isRepeated } = verdict;
  if (refund.reason === null) return { status: 200, body: renderProviderC(refund) };
  const reason = refund.reason === 'refund_declined' ? 'declined' : refund.reason;
  return refusal(reason, 'The refund was refused.', isRepeated);
}

const renderProviderC = ({ id, amount, currency, paymentId, merchantReference }: Refund) => ({
  result: 'ok',
  refund_no: id,
  minor: toMinor(amount, currency),
  currency,
  payment: paymentId,
  note: merchantReference,
});

const refusal = (reason: string, text: string, isStored = false): Reply => ({
  status: 409,
  body: { result: 'refused', reason, text, stored: isStored },
});

const bodyLimit = '64kb';

/** The card processors, each with a door of its own below the address, and what controls them. */
export function gatewayRoutes(ledger: Ledger): Middleware {
  const routers = [control(ledger), page(), providerA(ledger), providerB(ledger), providerC(ledger)];
  return compose([
    koaBody({ jsonLimit: bodyLimit, text: false, urlencoded: false }),
    ...routers.map((router) => router.routes() as Middleware),
  ]);
}
