import { readReadyFile, type ReadyFile } from './ready-file.ts';
import { parseSettings, type Settings } from '../../providers/settings.ts';

export interface OperatorSettings {
  settings: Settings;
  /** Set when the addresses come from a running `npm start`. */
  ready: ReadyFile | undefined;
}

/**
 * The settings of the operator's tool, from the environment. Where that names no other database, they are completed
 * by the running `npm start`: its addresses, and the queue its worker polls.
 *
 * Another database is never combined with the local Temporal: a message for one shop must not reach another.
 */
export function operatorSettings(environment: Record<string, string | undefined>): OperatorSettings {
  const given = parseSettings(environment);
  const ready = readReadyFile(given.POS_DATA_DIR);
  if (!ready || (given.DATABASE_URL !== undefined && given.DATABASE_URL !== ready.database)) {
    return { settings: given, ready: undefined };
  }
  const local = {
    ...ready.settings,
    DATABASE_URL: ready.database,
    TEMPORAL_ADDRESS: ready.temporal,
    TEMPORAL_NAMESPACE: ready.temporalNamespace,
    TEMPORAL_UI_URL: ready.temporalUi ?? undefined,
    GATEWAY_SIMULATOR_URL: ready.gateway ?? undefined,
    LICENSE_SERVICE_URL: ready.license ?? undefined,
  };
  const own = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  return { settings: parseSettings({ ...local, ...own }), ready };
}
