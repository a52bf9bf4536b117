import { Connection } from '@temporalio/client';
import { prepareNamespace } from '../providers/temporal/prepare-namespace.ts';
import { temporalConnectionOptions } from '../providers/temporal/connection.ts';
import { required, WrongSetting } from '../providers/settings.ts';
import { patienceMs, reasonOf } from '../providers/doctor/check.ts';
import { fine, type Answer, type CommandContext } from './support.ts';

/**
 * `temporal set-up`: makes on a server of your own what API and worker need. Safe to run again.
 *
 * Throws `WrongSetting` when no server answers, or when it does not let us.
 */
export async function setUpTemporal({ settings }: CommandContext): Promise<Answer> {
  const address = required(settings, 'TEMPORAL_ADDRESS');
  const options = { ...temporalConnectionOptions(settings, address), connectTimeout: patienceMs };
  const connection = await Connection.connect(options).catch((error: unknown) => {
    throw new WrongSetting(
      `No Temporal server answers at ${address} (${reasonOf(error)}); start it, or correct TEMPORAL_ADDRESS.`,
    );
  });
  const namespace = settings.TEMPORAL_NAMESPACE;
  try {
    const made = await prepareNamespace(connection, namespace);
    const what = made.length === 0 ? 'nothing was missing' : `made ${made.join('; ')}`;
    return fine(`The namespace "${namespace}" at ${address} is ready: ${what}.`, { namespace, address, made });
  } catch (error) {
    throw new WrongSetting(
      `The namespace "${namespace}" at ${address} could not be made (${reasonOf(error)}); on a server of others let its owner make it.`,
    );
  } finally {
    await connection.close();
  }
}
