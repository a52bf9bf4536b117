import type { ReturnStatus } from '../../../domain/returns/return-status.ts';

/**
 * What a return must be after any sequence of what people do: the interface's words, told a second time (spec 3.2,
 * 3.3).
 */
export interface ReturnModel {
  status: ReturnStatus;
  /** Of the attempt that is open; undefined when none is. */
  attempt: 'unclaimed' | 'claimed' | 'uncertain' | undefined;
  memos: number;
  /** Where the goods are: with the buyer, on the shelf, or back with the buyer. */
  goods: 'out' | 'in' | 'back';
}

/** A status now in the books, or the status of a refusal. */
export type Outcome = ReturnStatus | `refused ${number}`;

const terminal = new Set<ReturnStatus>(['resolved', 'closed', 'processed_closed', 'rejected', 'denied']);
const goodsAreIn = new Set<ReturnStatus>(['items_received', 'received', 'received_partially', 'awaiting_refund']);

export const isOver = ({ status }: ReturnModel) => terminal.has(status);

/** By hand: a decision about a return whose goods are not in. */
export function decide(model: ReturnModel, to: 'approved' | 'rejected' | 'denied'): Outcome {
  if (model.status === to) return model.status;
  const mayMove = model.status === 'pending' || (model.status === 'approved' && to !== 'approved');
  if (!mayMove) return 'refused 400';
  model.status = to;
  return to;
}

/** Taking in just the same again is answered, as long as nothing was done since. */
export function receive(model: ReturnModel): Outcome {
  if (isOver(model)) return model.status;
  if (model.status === 'items_received') return model.status;
  if (model.status !== 'approved') return 'refused 400';
  model.status = 'items_received';
  model.goods = 'in';
  return model.status;
}

export function settleInCash(model: ReturnModel): Outcome {
  if (isOver(model)) return model.status;
  if (!goodsAreIn.has(model.status)) return 'refused 400';
  if (model.attempt) return 'refused 409';
  model.status = 'closed';
  model.memos = 1;
  return 'closed';
}

export function settleThroughGateway(model: ReturnModel): Outcome {
  if (isOver(model)) return model.status;
  if (!goodsAreIn.has(model.status)) return 'refused 400';
  if (model.attempt) return 'refused 409';
  model.attempt = 'unclaimed';
  model.status = 'awaiting_refund';
  return model.status;
}

/** @returns whether the one call may be made */
export function claim(model: ReturnModel): boolean {
  if (model.attempt !== 'unclaimed') return false;
  model.attempt = 'claimed';
  return true;
}

/**
 * What was found out about the open attempt; no later finding changes it. Of a call that nobody claimed nothing is
 * unknown: the gateway was not called, and can never be (spec 3.3).
 */
export function find(model: ReturnModel, said: 'refunded' | 'not_refunded' | 'unknown'): string {
  const evidence = said === 'unknown' && model.attempt === 'unclaimed' ? 'not_refunded' : said;
  if (evidence === 'unknown') {
    model.attempt = 'uncertain';
    return 'uncertain';
  }
  model.attempt = undefined;
  if (evidence === 'not_refunded') return 'failed';
  model.status = 'closed';
  model.memos = 1;
  return 'booked';
}

export function cancelRefund(model: ReturnModel): Outcome {
  if (model.status === 'received') return 'received';
  if (model.status !== 'awaiting_refund') return 'refused 400';
  if (model.attempt) return 'refused 409';
  model.status = 'received';
  return 'received';
}

export function close(model: ReturnModel): Outcome {
  if (isOver(model)) return model.status;
  if (model.attempt) return 'refused 409';
  model.status = 'closed';
  if (model.goods === 'in') model.goods = 'back';
  return 'closed';
}
