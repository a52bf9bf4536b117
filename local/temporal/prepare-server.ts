import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import { msToTs } from '@temporalio/common/lib/time.js';
import { CannotStart } from '../cannot-start.ts';
import { searchAttributes } from './search-attributes.ts';

type OperatorService = Connection['operatorService'];

const typeNames = { Keyword: 'KEYWORD', Int: 'INT', Datetime: 'DATETIME' } as const;

const answerWithinMs = 5_000;
const retention = '3 days';
const askAgainMs = 500;
const knownWithinMs = 30_000;

/**
 * Ensures that a configured server answers, and that it has our namespace and search attributes. Existing ones stay
 * unchanged.
 *
 * Throws `CannotStart` when it does not answer.
 */
export async function prepareServer({ address, namespace }: { address: string; namespace: string }): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: answerWithinMs }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotStart(
      `No Temporal server answers at ${address} (${reason}); start it, or unset TEMPORAL_ADDRESS to get one brought along.`,
    );
  });
  try {
    await addNamespace(connection, namespace);
    await addSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}

async function addNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  const isThere = await workflowService.describeNamespace({ namespace }).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  await workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs(retention),
  });
}

async function addSearchAttributes({ operatorService }: Connection, namespace: string): Promise<void> {
  const customAttributes = await knownAttributes(operatorService, namespace);
  const missing = Object.entries(searchAttributes).filter(([name]) => !(name in customAttributes));
  if (missing.length === 0) return;
  const added = missing.flatMap(([name, type]) => {
    const encoded = encodeSearchAttributeIndexedValueType(typeNames[type]);
    return encoded === undefined ? [] : [[name, encoded] as const];
  });
  await operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(added) });
}

/** A new namespace is known to every part of the server only after some seconds. */
async function knownAttributes(operatorService: OperatorService, namespace: string): Promise<Record<string, unknown>> {
  for (const until = Date.now() + knownWithinMs; ; await sleep(askAgainMs)) {
    try {
      return (await operatorService.listSearchAttributes({ namespace })).customAttributes;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}
