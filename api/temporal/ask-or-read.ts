import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import type { Command } from '../../domain/command.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { StillRunning, type Question } from '../../providers/temporal/workflows.ts';
import type { RouteContext } from '../http/route.ts';

/** How often the row is looked at once no answer can be expected any more. */
const lookEveryMs = 250;
/** The database is silent too: the caller is answered that, and not later. */
const lastLookMs = 900;

export interface QuestionWithRow<Answer, Request, Input, Row> extends Omit<
  Question<Answer, Request & Command, Input>,
  'request' | 'operationKey' | 'patienceMs'
> {
  request: Request;
  /** The record as it is now. */
  read: () => Promise<Row>;
  /** Whether the record has what was asked for, by this request or by an earlier run of it. */
  isDone: (row: Row) => boolean | Promise<boolean>;
}

/**
 * Asks a workflow for a change that a caller waits for. Where no answer comes, the row tells what happened, once
 * nothing of the request can begin any more: so the answer stays true.
 *
 * Refused with: the refusals of the verb · 503 workflows cannot be reached, and nothing was sent · 503 it did not begin
 * in time, and never will.
 */
export async function askOrRead<Answer, Request extends object, Input, Row>(
  context: Pick<RouteContext, 'em' | 'workflows' | 'operation' | 'caller' | 'requestId'>,
  { request, read, isDone, ...question }: QuestionWithRow<Answer, Request, Input, Row>,
): Promise<Row> {
  const { em, workflows } = context;
  await workflows.refuseWhileAway();
  const command = await commandOf(context, em);
  // What begins in time has ended by then.
  const decidedAt = performance.now() + answerWithinMs;
  try {
    await workflows.ask({
      ...question,
      request: { ...request, ...command },
      operationKey: command.operationKey,
      patienceMs: answerWithinMs,
    });
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
    return readUntil(decidedAt, { read, isDone });
  }
  return read();
}

async function readUntil<Row>(
  decidedAt: number,
  { read, isDone }: Pick<QuestionWithRow<unknown, unknown, unknown, Row>, 'read' | 'isDone'>,
): Promise<Row> {
  for (;;) {
    const leftMs = decidedAt - performance.now();
    const [row, isThere] = await withinMs(lastLookMs, async () => {
      const now = await read();
      return [now, await isDone(now)] as const;
    });
    if (isThere) return row;
    if (leftMs <= 0) throw tooLate();
    await pause(Math.min(lookEveryMs, leftMs));
  }
}

const commandOf = async (
  { operation, caller, requestId }: Pick<RouteContext, 'operation' | 'caller' | 'requestId'>,
  em: EntityManager,
): Promise<Command> => ({
  operationKey: operation.key,
  beginBefore: await beginBefore(em),
  by: caller.name,
  requestId,
});

/** `StillRunning` after this time: the database is silent, too. */
async function withinMs<Answer>(ms: number, work: () => Promise<Answer>): Promise<Answer> {
  const late = new AbortController();
  try {
    return await Promise.race([
      work(),
      pause(Math.max(0, ms), undefined, { signal: late.signal }).then(() => {
        throw new StillRunning();
      }),
    ]);
  } finally {
    late.abort();
  }
}
