import type { MikroORM } from '@mikro-orm/postgresql';
import { drawReturn } from '../../../db/returns/draw-return.ts';
import type { Command } from '../../../domain/command.ts';
import { pieces } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { builtInCode, noObjection } from '../../../domain/returns/eligibility.ts';
import type {
  CollapseRequest,
  CreateRequest,
  GoodsToReturn,
  NotedRequest,
  ProviderAnswers,
  SettleRequest,
} from '../../../domain/returns/return-requests.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { sealWords, type Words } from '../../../providers/returns/sealed-words.ts';
import { testSecrets } from '../fakes.ts';
import { inMinutes, minutesAgo } from '../moments.ts';

let commands = 0;

/** What a route adds to what a caller asks. Each is a request of its own, for which somebody waits. */
export const aCommand = (more: Partial<Command> = {}): Command => ({
  operationKey: `operation-${++commands}`,
  beginBefore: inMinutes(5).toISOString(),
  by: 'Front register',
  requestId: 'press-1',
  ...more,
});

/** Of a request for which nobody waits any more. */
export const tooLate = () => ({ beginBefore: minutesAgo(1).toISOString() });

/** The same in the words of a refusal. */
export const refusedTooLate = {
  status: 503,
  message: 'The request waited too long, and nothing was done. Try again later.',
};

/** As a route seals what people wrote. */
export const sealed = (words: Words) => sealWords(testSecrets, words);

export const aNotedRequest = ({ comment, ...more }: Partial<NotedRequest> & { comment?: string } = {}) => ({
  ...aCommand(),
  words: comment === undefined ? null : sealed({ comment }),
  ...more,
});

export const aStatusRequest = (status: ReturnStatus, more: Parameters<typeof aNotedRequest>[0] = {}) => ({
  ...aNotedRequest(more),
  status,
});

/** In cash, without adjustments. */
export const aSettleRequest = (more: Partial<SettleRequest> = {}): SettleRequest => ({
  ...aCommand(),
  method: 'cash',
  options: plainSettlement,
  ...more,
});

/** Of the built-in returns, which accept everything. */
const accepted: ProviderAnswers = { code: builtInCode, resolutionIds: [], verdict: noObjection };

export interface SoldGoods {
  orderId: number;
  itemIds: readonly number[];
}

/** One piece of a line, as it was when it left the shop. */
export const aPiece = (orderItemId: number, more: Partial<GoodsToReturn> = {}): GoodsToReturn => ({
  orderItemId,
  qtyRequested: pieces(1),
  resolution: null,
  resolutionId: null,
  inspectedCondition: 'pristine',
  returnToStock: true,
  qtyReceived: null,
  targetSourceCode: null,
  ...more,
});

/** A creation of a return of one piece, approved and to be paid back in cash; with the id that its route drew. */
export async function aCreation(orm: MikroORM, { orderId, itemIds }: SoldGoods, more: Partial<CreateRequest> = {}) {
  const locationId = more.locationId ?? null;
  const { returnId, incrementId } = await drawReturn(orm.em.fork(), { orderId, locationId });
  const request: CreateRequest = {
    ...aCommand(),
    ...{ incrementId, orderId, customerId: null, locationId, items: [aPiece(itemIds[0] ?? 0)] },
    ...{ isAutoApproved: true, refundMethod: 'cash', posSaleId: null, words: null },
    ...{ provider: accepted, providerCodes: [builtInCode] },
    ...more,
  };
  return { returnId, request };
}

/** Goods and money of one piece back in one call, in cash; with the id that its route drew for the return. */
export async function aCollapse(orm: MikroORM, { orderId, itemIds }: SoldGoods, more: Partial<CollapseRequest> = {}) {
  const { returnId, incrementId } = await drawReturn(orm.em.fork(), { orderId, locationId: null });
  const command = aCommand();
  const request: CollapseRequest = {
    ...{ ...command, requestKey: command.operationKey, incrementId, orderId, customerId: null, words: null },
    items: [{ orderItemId: itemIds[0] ?? 0, qty: pieces(1), resolution: null, resolutionId: null }],
    ...{ resolution: 'refund', resolutionId: null, isOnline: false, provider: accepted },
    ...more,
  };
  return { returnId, request };
}
