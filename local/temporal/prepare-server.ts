import { Connection } from '@temporalio/client';
import { prepareNamespace } from '../../providers/temporal/prepare-namespace.ts';
import { CannotStart } from '../cannot-start.ts';

const answerWithinMs = 5_000;

/**
 * Ensures that a configured server answers, and that it has our namespace.
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
    await prepareNamespace(connection, namespace);
  } finally {
    await connection.close();
  }
}
