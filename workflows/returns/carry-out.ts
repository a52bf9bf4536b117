import { proxyLocalActivities } from '@temporalio/workflow';
import type { ReturnActivities } from '../../activities/returns/return-activities.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { oneTransaction } from '../support/activity-options.ts';
import type {
  NotedRequest,
  ProcessRequest,
  ReceiveRequest,
  ResolveRequest,
  ReturnAnswer,
  SetStatusRequest,
  SettleRequest,
} from './messages.ts';
import { finishInOneCall } from './finish-in-one-call.ts';
import { resolve } from './resolve.ts';
import { settle } from './settle.ts';

const { setReturnStatus, receiveReturn, cancelRefund, closeReturn } =
  proxyLocalActivities<ReturnActivities>(oneTransaction);

/** The changes of a return: each is one transaction, or one transaction and a gateway call. */
export type Change =
  | { verb: 'settle'; settle: SettleRequest }
  | { verb: 'setStatus'; setStatus: SetStatusRequest }
  | { verb: 'receive'; receive: ReceiveRequest }
  | { verb: 'resolve'; resolve: ResolveRequest }
  | { verb: 'cancelRefund'; cancelRefund: NotedRequest }
  | { verb: 'close'; close: NotedRequest }
  | { verb: 'process'; process: ProcessRequest };

/**
 * Carries out one change.
 *
 * @returns the status in PostgreSQL, or a refusal
 */
export async function carryOut(rmaId: number, change: Change): Promise<Outcome<ReturnAnswer>> {
  switch (change.verb) {
    case 'settle':
      return settle(rmaId, change.settle);
    case 'setStatus':
      return setReturnStatus({ returnId: rmaId, ...change.setStatus });
    case 'receive':
      return receiveReturn({ returnId: rmaId, ...change.receive });
    case 'resolve':
      return resolve(rmaId, change.resolve);
    case 'cancelRefund':
      return cancelRefund({ returnId: rmaId, ...change.cancelRefund });
    case 'close':
      return closeReturn({ returnId: rmaId, ...change.close });
    case 'process':
      return finishInOneCall(rmaId, change.process);
  }
}
