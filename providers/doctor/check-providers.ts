import type { EntityManager } from '@mikro-orm/postgresql';
import { orNull, surely, text } from '../../db/support/kinds.ts';
import { statement } from '../../db/support/statement.ts';
import { codesIn } from '../returns/returns.ts';
import { checkService } from './check-service.ts';
import { broken, ok, patienceMs, reasonOf, warning, type Check, type DoctorContext } from './check.ts';

/** The card gateways and the returns providers: the settings compared with what is available. */
export async function checkProviders({ settings, em: connect }: DoctorContext): Promise<Check[]> {
  const simulator = settings.GATEWAY_SIMULATOR_URL;
  const played = simulator === undefined ? [] : [await simulated(simulator)];
  try {
    const em = await connect();
    return [...played, ...(await gateways(em, simulator)), ...(await returns(em, settings.RETURNS_SERVICE_URL))];
  } catch {
    // Without a database the providers are unknown; the database's own line gives the reason.
    return played;
  }
}

async function simulated(url: string): Promise<Check> {
  try {
    const response = await fetch(`${url}/cents`, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return ok('gateway', `simulator at ${url}`);
  } catch (error) {
    return broken(
      'gateway',
      `the simulator at ${url} does not answer (${reasonOf(error)})`,
      'run npm start, or unset GATEWAY_SIMULATOR_URL',
    );
  }
}

/** The processors with an address of their own. */
async function gateways(em: EntityManager, simulator: string | undefined): Promise<Check[]> {
  const rows = await readAddresses.all(em);
  if (rows.length > 0) return [ok('gateway', `asked at ${rows.map(({ value }) => value).join(', ')}`)];
  return simulator === undefined
    ? [warning('gateway', 'none has an address: cards are refunded from the admin', 'pos config set …/base_url URL')]
    : [];
}

/**
 * A returns provider that a store names but that does not exist is skipped silently: its refunds would have no
 * return.
 */
async function returns(em: EntityManager, service: string | undefined): Promise<Check[]> {
  const rows = await readDepartments.all(em);
  const isNamed = rows.some(({ value }) => codesIn(value ?? '').includes('warehouse'));
  if (isNamed && service === undefined)
    return [broken('returns', 'a store works with "warehouse", which does not exist', 'set RETURNS_SERVICE_URL')];
  if (!isNamed || service === undefined) return [];
  return [await checkService({ name: 'returns', url: service, what: 'department', variable: 'RETURNS_SERVICE_URL' })];
}

const readAddresses = statement({
  takes: {},
  gives: { value: surely(text) },
  text: `select distinct value from config_value where path like '%/base_url' and value <> '' order by value`,
});

const readDepartments = statement({
  takes: {},
  gives: { value: orNull(text) },
  text: `select value from config_value where path = 'vendor_pos_terminal/returns/providers'`,
});
