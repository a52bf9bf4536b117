import type { EntityManager } from '@mikro-orm/postgresql';
import { operationStatus, type OperationEnd, type OperationSources } from '../../domain/bulk/operation-status.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { inUse } from '../../domain/idempotency/idempotency-key.ts';
import { joined, transact } from '../support/transact.ts';
import { endOperation, takeOperation } from './take-operation.ts';

interface Operation {
  bulkId: number;
  operationKey: number;
}

interface Work {
  /** True when the work and the note of its result share one transaction: a crash leaves both or neither. */
  isOneTransaction: boolean;
  /** Gets the transaction when `isOneTransaction`. */
  run: (sources: OperationSources, em?: EntityManager) => Promise<{ text: string; committed: () => void }>;
}

/**
 * Carries out one operation of a bulk, once: a later call finds it done and does nothing. A refusal rolls back what the
 * operation wrote, and is noted as its result. A fault is thrown.
 */
export async function carryOut(em: EntityManager, operation: Operation, work: Work): Promise<void> {
  if (work.isOneTransaction) await atOnce(em, operation, work);
  else await severally(em, operation, work);
}

async function atOnce(em: EntityManager, operation: Operation, { run }: Work): Promise<void> {
  let tell: () => void = () => undefined;
  await transact(em, async (tx) => {
    tell = () => undefined;
    const taken = await takeOperation(tx, operation);
    if (!taken?.sources) return;
    const { sources } = taken;
    const ended = await endOf(async () => {
      // A savepoint: a refusal rolls back the work, but keeps the lock on the operation.
      const { text, committed } = await transact(joined(tx), (inner) => run(sources, joined(inner)));
      tell = committed;
      return text;
    });
    await endOperation(tx, { ...operation, ...ended });
  });
  tell();
}

/** Its work is found by the operation's idempotency key: a second run continues what the first one did. */
async function severally(em: EntityManager, operation: Operation, { run }: Work): Promise<void> {
  const taken = await transact(em, (tx) => takeOperation(tx, operation));
  if (!taken?.sources) return;
  const { sources } = taken;
  const ended = await endOf(async () => {
    const { text, committed } = await run(sources);
    committed();
    return text;
  });
  await transact(em, (tx) => endOperation(tx, { ...operation, ...ended }));
}

/**
 * Notes a fault, so that the others of the bulk go on: one that would come again with every repeat, or one that may have
 * passed by the time somebody sends the same again.
 */
export const endWithFault = (em: EntityManager, operation: Operation, { isPassing }: { isPassing: boolean }) =>
  transact(em, (tx) => endOperation(tx, { ...operation, ...(isPassing ? unavailable : broken), result: null }));

const broken = {
  status: operationStatus.failed,
  message: 'Internal Error. Details are available in the log of the worker.',
  errorCode: 500,
};

const unavailable = {
  status: operationStatus.failedForNow,
  message: 'Something that this needs was away for minutes. Read what became of it, then send it again.',
  errorCode: 503,
};

/** Too many calls, a service that is away, an unknown result: a later try may succeed. */
const momentary: ReadonlySet<number> = new Set([429, 503, 504]);

/**
 * So may what was begun before a crash and is still under way: its claim, or its return, is free in some seconds. Each of
 * these refusals asks for the same request once more.
 */
const underWay: ReadonlySet<unknown> = new Set([inUse, 'return_not_ready', 'sale_return_being_created']);

const isMomentary = ({ status, parameters }: PosError) =>
  momentary.has(status) || (status === 409 && underWay.has(Reflect.get(parameters ?? {}, 'outcome')));

/** Longer answers are not kept: the record itself can be read. */
const mostKept = 16_384;

async function endOf(work: () => Promise<string>): Promise<OperationEnd> {
  try {
    const text = await work();
    const result = text.length > mostKept ? null : text;
    return { status: operationStatus.complete, message: 'Service execution success', errorCode: null, result };
  } catch (error) {
    // A temporary refusal is thrown, so that the batch is repeated.
    if (!(error instanceof PosError) || isMomentary(error)) throw error;
    const status = error.status === 409 ? operationStatus.failedForNow : operationStatus.failed;
    return { status, message: inWords(error.refusal), errorCode: error.status, result: null };
  }
}
