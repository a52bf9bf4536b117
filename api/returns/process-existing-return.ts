import { z } from 'zod';
import { runOfReturn } from '../../db/process/open-process-of-return.ts';
import { findProcess } from '../../db/process/process.repository.ts';
import { CreditMemo } from '../../db/platform/credit-memos/credit-memo.entity.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { processResolutions } from '../../domain/returns/collapsed-return.ts';
import { PosError } from '../../domain/errors.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { processUpdate } from '../../workflows/returns/messages.ts';
import { route, type RouteContext } from '../http/route.ts';
import { flag, idParam, payload } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { askReturn } from './ask-return.ts';
import { processAnswer, renderProcess } from './render-process.ts';
import { unknownReturn, gatewayRefused, returnNotReady, gatewayUncertain } from './return-outcomes.ts';
import { workflowsAway } from '../wire/outcomes.ts';

/** Finishes an existing return in one call, from any status: approved, received, refunded (spec 4.8). */
export const processExistingReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/process',
  acl: 'Vendor_Pos::locations',
  summary: 'Take an existing return through to its end',
  name: 'processExistingReturn',
  description: `Approves, receives and refunds a return from wherever it stands. Where no provider attempts it, the
    answer is 200 with \`success\` false. A return that is over is answered with what it came to; a run under way is
    joined.`,
  outcomes: [
    unknownReturn,
    {
      status: 400,
      message: 'No provider is installed for credit type %1.',
      when: 'Resolution `store_credit`, and this shop has no store credit.',
    },
    gatewayRefused,
    returnNotReady,
    gatewayUncertain,
    workflowsAway,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ resolution: z.enum(processResolutions), isOnline: flag.default(false) }),
  response: processAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    const before = await runOfReturn(em, rma.returnId);
    if (isTerminal(rma.status)) {
      markReplayed(request);
      return render(em, rma, before?.state === 'done' ? before.processId : undefined);
    }
    const now = await askReturn(request, {
      ...{ rma, update: processUpdate, request: body },
      isDone: ({ status }) => isTerminal(status),
    }).catch((error: unknown) => unlessBegun(request, { rma, before, error }));
    return render(em, now, (await runOfReturn(em, rma.returnId))?.processId);
  },
});

/** No answer came in time. Where its run began, the run's row says what became of it: a refusal leaves the return open. */
async function unlessBegun({ em }: RouteContext, { rma, before, error }: Late): Promise<ReturnRecord> {
  if (!(error instanceof PosError) || error.status !== 503) throw error;
  const run = await runOfReturn(em, rma.returnId);
  if (!run || (run.processId === before?.processId && before.state !== 'open')) throw error;
  return findReturn(em, rma.returnId);
}

interface Late {
  rma: ReturnRecord;
  /** The newest run before the request. */
  before: Awaited<ReturnType<typeof runOfReturn>>;
  error: unknown;
}

async function render(em: RouteContext['em'], rma: ReturnRecord, processId: number | undefined) {
  if (processId === undefined) return ended(em, rma, (await paymentOfReturn(em, rma.returnId)).paymentMethod);
  const record = await findProcess(em, processId);
  if (record.refusal) throw new PosError(record.refusal);
  if (record.state === 'open') throw new StillRunning();
  return renderProcess(record);
}

/** A return that another verb ended: with a memo it is done, without one nothing is refunded. */
async function ended(em: RouteContext['em'], rma: ReturnRecord, paymentMethod: string) {
  const memo = rma.creditMemoId === null ? null : await em.findOne(CreditMemo, { entityId: rma.creditMemoId });
  return renderEnded(rma, { paymentMethod, isOnline: memo?.isOnline ?? false });
}

const renderEnded = (
  rma: ReturnRecord,
  { paymentMethod, isOnline }: { paymentMethod: string; isOnline: boolean },
): z.input<typeof processAnswer> => ({
  success: rma.creditMemoId !== null,
  error: rma.creditMemoId === null ? `Return ${rma.incrementId} is ${rma.status}; no money goes back.` : null,
  rma_id: rma.returnId,
  rma_increment_id: rma.incrementId,
  credit_memo_id: rma.creditMemoId,
  credit_memo_increment_id: rma.creditMemoIncrementId,
  refund_total: rma.refundTotal ?? 0,
  store_credit_issued: 0,
  exchange_credit_amount: 0,
  is_online_refund: isOnline,
  payment_method: paymentMethod || null,
  transaction_id: rma.transactionId,
});
