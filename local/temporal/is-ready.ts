import { Connection } from '@temporalio/client';
import { searchAttributes } from './search-attributes.ts';

const answerWithinMs = 2_000;

/** Whether a server answers, knows the namespace, and knows all its search attributes. */
export async function isReady({ address, namespace }: { address: string; namespace: string }): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: answerWithinMs });
    const { workflowService, operatorService } = connection;
    const known = await connection.withDeadline(Date.now() + answerWithinMs, async () => {
      await workflowService.describeNamespace({ namespace });
      return (await operatorService.listSearchAttributes({ namespace })).customAttributes;
    });
    return Object.keys(searchAttributes).every((name) => name in known);
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
