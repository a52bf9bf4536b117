import type { Settings } from '../providers/settings.ts';
import { CannotStart } from './cannot-start.ts';
import { freePort, freePorts, isFree } from './free-port.ts';

type Say = (line: string) => void;

/** The parts, their port variables, and their names in a sentence. */
const parts = {
  api: { port: 8080, name: 'the API' },
  metrics: { port: 9464, name: "the worker's metrics" },
  simulators: { port: 8090, name: 'the simulators' },
  smtp: { port: 1025, name: 'the mail catcher' },
  mail: { port: 8025, name: "the mail catcher's page" },
  postgres: { port: 54_329, name: 'PostgreSQL' },
  temporal: { port: 7233, name: 'Temporal' },
  temporalUi: { port: 8233, name: "Temporal's UI" },
} as const;

type PartName = keyof typeof parts;
export type Ports = Record<PartName, number>;

/** The service behind each path of the simulators; the card processors are behind the address itself. */
export const simulatorPaths = {
  license: '/license',
  returns: '/returns',
  credit: '/credit',
  webhooks: '/webhooks',
} as const;

const partNames = ['api', 'metrics', 'simulators', 'smtp', 'mail', 'postgres', 'temporal', 'temporalUi'] as const;

export interface ChoosePortsOptions {
  settings: Settings;
  /** The variables that are set; a port that is set is never replaced. */
  environment: Record<string, string | undefined>;
  say: Say;
}

/**
 * The port of each part. `PORT=0` takes free ones for all; a default that is taken moves to a free one and says so.
 *
 * Throws `CannotStart` when a port that was set is taken.
 */
export async function choosePorts({ settings, environment, say }: ChoosePortsOptions): Promise<Ports> {
  if (settings.PORT === 0) return chosen(await freePorts(partNames.length));
  const request = { api: environment['PORT'], metrics: environment['METRICS_PORT'] };
  const ports: number[] = [];
  for (const part of partNames) {
    const variable = part === 'api' || part === 'metrics' ? request[part] : undefined;
    ports.push(await portOf(part, { asked: variable, say }));
  }
  return chosen(ports);
}

async function portOf(part: PartName, { asked, say }: { asked: string | undefined; say: Say }): Promise<number> {
  const { port: usual, name } = parts[part];
  const requested = asked ? Number(asked) : usual;
  if (requested === 0) return freePort();
  if (await isFree(requested)) return requested;
  if (asked)
    throw new CannotStart(
      `Port ${requested} for ${name} is taken; stop what listens there, or choose another one (PORT=0 takes free ones for all).`,
    );
  const other = await freePort();
  say(`Port ${requested} is taken, so ${name} is at ${other}.`);
  return other;
}

const chosen = ([
  api = 0,
  metrics = 0,
  simulators = 0,
  smtp = 0,
  mail = 0,
  postgres = 0,
  temporal = 0,
  temporalUi = 0,
]: readonly number[]): Ports => ({
  api,
  metrics,
  simulators,
  smtp,
  mail,
  postgres,
  temporal,
  temporalUi,
});
