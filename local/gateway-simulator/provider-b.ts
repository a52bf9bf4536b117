import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { deliver, type Reply } from './deliver.ts';
import type { Ledger, Verdict } from './ledger.ts';
import { fromMinor, toMinor } from './minor-units.ts';
import type { Reason, Refund } from './records.ts';

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
