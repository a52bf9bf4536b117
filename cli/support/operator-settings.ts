import { readReadyFile, type ReadyFile } from './ready-file.ts';
import { parseSettings, type Settings } from '../../providers/settings.ts';

export interface OperatorSettings {
  settings: Settings;
  /** Set when the addresses are those of a running `npm start`. */
  ready: ReadyFile | undefined;
}

/**
 * The settings of the operator's tool: the environment's own, and where it names no other database, those of the service
 * that `npm start` runs here: its addresses, and the queue its worker asks for work.
 *
 * A database of the environment's own is never mixed with the local Temporal: a message meant for one shop must not
 * reach another.
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
