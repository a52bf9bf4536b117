import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';

/** The fields by which the operator's list of workflows can be filtered. Registered before the first worker starts. */
export const searchAttributes = {
  PosStatus: 'Keyword',
  PosRefundState: 'Keyword',
  PosLocationId: 'Keyword',
  PosMethod: 'Keyword',
  PosReturnId: 'Int',
  PosOrderId: 'Int',
  PosExpiresAt: 'Datetime',
} as const;

/** How long the story of a closed return, refund or layaway can be read. */
export const storedDays = 30;

/** What a person does about a lack. */
export const setUpCommand = 'npm run pos -- temporal set-up';

const dayMs = 86_400_000;
const askAgainMs = 500;
const knownWithinMs = 30_000;

const typeNames = { Keyword: 'KEYWORD', Int: 'INT', Datetime: 'DATETIME' } as const;

/** gRPC's numbers of what we tell apart. */
const codes = { notFound: 5, alreadyExists: 6, permissionDenied: 7, unimplemented: 12 } as const;

export interface Namespace {
  /** Of closed workflows. */
  keptDays: number;
  /** Search attributes that it does not have; undefined where the server does not tell, as in the maker's cloud. */
  missing: readonly string[] | undefined;
}

/** What a server has under this name; undefined for nothing. */
export async function readNamespace(connection: Connection, namespace: string): Promise<Namespace | undefined> {
  const { workflowService } = connection;
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    return {
      keptDays: tsToMs(config?.workflowExecutionRetentionTtl) / dayMs,
      missing: await missingAttributes(connection, namespace),
    };
  } catch (error) {
    if (isOneOf(error, codes.notFound)) return undefined;
    throw error;
  }
}

async function missingAttributes(
  { operatorService }: Connection,
  namespace: string,
): Promise<readonly string[] | undefined> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return Object.keys(searchAttributes).filter((name) => !(name in customAttributes));
  } catch (error) {
    if (isOneOf(error, codes.permissionDenied, codes.unimplemented)) return undefined;
    throw error;
  }
}

/** Without which no worker runs: its part of the server, in words. */
export interface Lack {
  part: 'namespace' | 'search attributes';
  says: string;
}

/** The first thing that a worker would miss. */
export function lackOf(found: Namespace | undefined, namespace: string): Lack | undefined {
  if (!found) return { part: 'namespace', says: `"${namespace}" does not exist` };
  const { missing = [] } = found;
  return missing.length === 0 ? undefined : { part: 'search attributes', says: `missing: ${missing.join(', ')}` };
}

/**
 * Makes what a worker needs: the namespace, its search attributes, and that closed workflows are kept for thirty days.
 * What is there stays, and so does a longer time. Settles when the server knows it all.
 *
 * Safe to run twice, and at the same time: each part is looked for first, and a rival's is as good.
 *
 * @returns what was made, in words
 */
export async function prepareNamespace(connection: Connection, namespace: string): Promise<string[]> {
  const made: string[] = [];
  if (!(await readNamespace(connection, namespace))) {
    const stored = { namespace, workflowExecutionRetentionPeriod: msToTs(storedDays * dayMs) };
    await unlessThere(connection.workflowService.registerNamespace(stored));
    made.push(`the namespace, with ${storedDays} days of closed workflows`);
  }
  const found = await known(connection, namespace, () => true);
  if (await keepLongEnough(connection, namespace, found)) made.push(`${storedDays} days of closed workflows`);
  if (found.missing?.length) {
    await unlessThere(connection.operatorService.addSearchAttributes(request(namespace, found.missing)));
    await known(connection, namespace, ({ missing }) => missing?.length === 0);
    made.push(`the search attributes ${found.missing.join(', ')}`);
  }
  return made;
}

/** Whether closed workflows were kept for less, and are no longer. */
export async function keepLongEnough(
  { workflowService }: Connection,
  namespace: string,
  found: Namespace,
): Promise<boolean> {
  if (found.keptDays >= storedDays) return false;
  const config = { workflowExecutionRetentionTtl: msToTs(storedDays * dayMs) };
  await workflowService.updateNamespace({ namespace, config });
  return true;
}

function request(namespace: string, missing: readonly string[]) {
  const added = Object.entries(searchAttributes).flatMap(([name, type]) => {
    const encoded = encodeSearchAttributeIndexedValueType(typeNames[type]);
    return encoded === undefined || !missing.includes(name) ? [] : [[name, encoded] as const];
  });
  return { namespace, searchAttributes: Object.fromEntries(added) };
}

/** What is new is known to every part of a server only after some seconds. */
async function known(
  connection: Connection,
  namespace: string,
  isComplete: (found: Namespace) => boolean,
): Promise<Namespace> {
  for (const until = Date.now() + knownWithinMs; ; await pause(askAgainMs)) {
    const found = await readNamespace(connection, namespace);
    if (found && isComplete(found)) return found;
    if (Date.now() > until) throw new Error(`The server took the namespace "${namespace}" and does not know it.`);
  }
}

async function unlessThere(making: Promise<unknown>): Promise<void> {
  await making.catch((error: unknown) => {
    if (!isOneOf(error, codes.alreadyExists)) throw error;
  });
}

const isOneOf = (error: unknown, ...expected: number[]) => isGrpcServiceError(error) && expected.includes(error.code);
