import { z } from 'zod';
import { invalid } from '../../domain/errors.ts';
import { formatQuantity } from '../../domain/money/quantity.ts';
import { resolutionBehaviors, type ReturnOption } from '../../domain/returns/return-options.ts';
import { postJson, type JsonAnswer } from '../post-json.ts';
import { NotAttempted, type ReturnsProvider, type ReturnToTakeOn, type SaleInQuestion } from './returns-provider.ts';

export interface RemoteReturnsSettings {
  baseUrl: string;
  apiKey: string | undefined;
  timeoutMs: number;
}

const short = z.string().min(1).max(64);
const option = z.object({
  id: short,
  label: short,
  behavior: z.enum(resolutionBehaviors).nullish(),
  is_store_credit: z.boolean().nullish(),
});
const list = z.array(option).max(100);
const optionsAnswer = z.object({ reasons: list, conditions: list, resolutions: list });
const sentence = z.string().min(1).max(500);
const verdictAnswer = z.object({
  order: sentence.nullish(),
  lines: z.array(z.object({ order_item_id: z.int(), reason: sentence })).max(1_000),
});
const taken = z.object({ return_number: z.string().min(1).max(255), restock_here: z.boolean().default(false) });
const refusal = z.object({ code: z.string().max(64), message: sentence });

/** In bytes: enough for all options of a store. */
const longestAnswer = 256 * 1024;

/** The service's code for a request that it did not begin. */
const notAttempted = 'not_attempted';

/**
 * An outside returns service, over HTTP: it authorises returns and keeps the goods (the protocol is our choice).
 *
 * A call that provably never left, and the documented `not_attempted`, are `NotAttempted`. A documented 4xx is a no.
 * After anything else the outcome is unknown.
 */
export function createRemoteReturns(settings: RemoteReturnsSettings): ReturnsProvider {
  const ask = (path: string, body: unknown, idempotencyKey?: string) =>
    postJson({ ...settings, path, body, idempotencyKey, longestAnswer });
  return {
    code: 'warehouse',
    label: 'Returns warehouse',

    async options(storeId) {
      const answer = optionsAnswer.safeParse(bodyOf(await ask('/v1/options', { store_id: storeId })));
      if (!answer.success) throw notUnderstood();
      const { reasons, conditions, resolutions } = answer.data;
      return {
        reasons: reasons.map(plain),
        conditions: conditions.map(plain),
        resolutions: resolutions.map((one) => ({
          id: one.id,
          label: one.label,
          behavior: one.behavior ?? 'unsupported',
          isStoreCredit: one.is_store_credit ?? false,
        })),
      };
    },

    async vendorRule(sale) {
      const answer = verdictAnswer.safeParse(bodyOf(await ask('/v1/eligibility', saleBody(sale))));
      if (!answer.success) throw notUnderstood();
      return {
        order: answer.data.order ?? null,
        lines: Object.fromEntries(answer.data.lines.map((line) => [line.order_item_id, line.reason])),
      };
    },

    async takeOn(request) {
      if (request.existing && request.existing.providerCode !== 'warehouse')
        throw new NotAttempted(`The return belongs to "${request.existing.providerCode}".`);
      return readTaken(await ask('/v1/returns', returnBody(request), request.requestKey));
    },
  };
}

const plain = ({ id, label }: { id: string; label: string }): ReturnOption => ({
  id,
  label,
  behavior: null,
  isStoreCredit: null,
});

const bodyOf = (answer: JsonAnswer) => ('status' in answer && answer.status === 200 ? answer.body : undefined);

const notUnderstood = () => new Error('It gave no answer that can be read.');

const saleBody = ({ orderIncrementId, storeId, lines }: SaleInQuestion) => ({
  order: orderIncrementId,
  store_id: storeId,
  lines: lines.map(({ orderItemId, sku, qty }) => ({ order_item_id: orderItemId, sku, qty: formatQuantity(qty) })),
});

const returnBody = ({ existing, ...request }: ReturnToTakeOn) => ({
  ...saleBody(request),
  lines: request.lines.map(({ orderItemId, sku, qty, reason, condition, resolution }) => ({
    order_item_id: orderItemId,
    sku,
    qty: formatQuantity(qty),
    reason,
    condition,
    resolution,
  })),
  return_number: existing?.reference ?? null,
});

function readTaken(answer: JsonAnswer) {
  if ('failure' in answer && !answer.isSent) throw new NotAttempted(`It ${answer.failure} (${answer.code ?? 'late'}).`);
  if ('failure' in answer) throw new Error(`It ${answer.failure}.`);
  const { status, body } = answer;
  const yes = taken.safeParse(body);
  if ((status === 200 || status === 201) && yes.success)
    return { reference: yes.data.return_number, isRestockedHere: yes.data.restock_here };
  const no = refusal.safeParse(body);
  if (no.success && no.data.code === notAttempted) throw new NotAttempted(no.data.message);
  if (no.success && status >= 400 && status < 500) throw invalid(no.data.message, { code: no.data.code });
  throw new Error(`It answered ${status} with something unreadable.`);
}
