import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { isElsewhere } from '../../db/installation/installation-home.ts';
import { hasNoTables, newerNotice, OtherTables, readSchemaState } from '../../db/pending-migrations.ts';
import { opens, readSealedSample } from '../../db/sealed-columns.ts';
import { isDiskFull } from '../../db/support/connections/database-trouble.ts';
import { inLane } from '../../db/support/connections/lanes.ts';
import { inTime } from '../../providers/in-time.ts';
import type { Log } from '../../providers/log.ts';
import type { Settings } from '../../providers/settings.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { secretBoxOf } from './secret-box.ts';

/** What the service is made of, in the order in which it is told. */
export const healthParts = ['database', 'schema', 'keys', 'installation', 'temporal'] as const;
export type HealthPart = (typeof healthParts)[number];

/** `degraded`: the rest goes on without it. `unknown`: another part had to answer first. */
export interface PartState {
  state: 'ok' | 'degraded' | 'failed' | 'unknown';
  /** What is wrong and what to do, in one sentence; absent where nothing is. */
  says?: string;
}

type Parts = Record<HealthPart, PartState>;

/** The body of `/health/ready`. */
export interface Health {
  /** `not ready` is answered with 503: a part failed without which nothing can be served. */
  status: 'ok' | 'degraded' | 'not ready';
  parts: Parts;
  /** The sentences of all parts that are not well. */
  missing?: readonly string[];
}

/** Looks at every part. Those who ask at the same time share one look. */
export interface HealthWatch {
  read(): Promise<Health>;
  /** What the last look found; undefined before the first. */
  last(): Health | undefined;
  /** Looks every ten seconds, so that the log says what went away though nobody asks; returns what ends it. */
  keepLooking(): () => void;
}

export interface HealthSources {
  orm: MikroORM;
  workflows: Workflows;
  settings: Settings;
  log: Log;
}

interface Choices {
  /** A worker does nothing without Temporal. */
  needsTemporal?: boolean;
  /** For the log's reminders, in ms. */
  clock?: () => number;
}

/** How soon the log says what went away, or came back, though nobody asks. */
const lookEveryMs = 10_000;

/** A longer answer counts as away. */
const patienceMs = 2_000;

const ok: PartState = { state: 'ok' };
const unknown: PartState = { state: 'unknown' };
const failed = (says: string): PartState => ({ state: 'failed', says });
const degraded = (says: string): PartState => ({ state: 'degraded', says });

/**
 * Whether this process can work, part by part. Only what nothing can be served without makes it `not ready`: the
 * database, tables that are too old, a wrong secret key. While Temporal is away sales go on, so it is told and no more.
 *
 * Each look writes to the log what went away and what came back since the last one.
 */
export function createHealth(sources: HealthSources, { needsTemporal = false, clock }: Choices = {}): HealthWatch {
  const note = createNotes(sources.log, clock ?? (() => performance.now()));
  const withoutTemporal = needsTemporal ? failed : degraded;
  let underWay: Promise<Health> | undefined;
  let last: Health | undefined;

  const look = async (): Promise<Health> => {
    const [ofDatabase, temporal] = await Promise.all([
      orAway(readDatabase(sources), databaseAway),
      orAway(readTemporal(sources, withoutTemporal), temporalAway(withoutTemporal)),
    ]);
    const parts = { ...ofDatabase, temporal };
    note(parts);
    const states = Object.values(parts);
    const missing = states.flatMap(({ says }) => says ?? []);
    const status = states.some(({ state }) => state === 'failed')
      ? 'not ready'
      : states.every(({ state }) => state === 'ok')
        ? 'ok'
        : 'degraded';
    return (last = { status, parts, ...(missing.length === 0 ? {} : { missing }) });
  };
  const read = () => (underWay ??= look().finally(() => (underWay = undefined)));
  return {
    read,
    last: () => last,
    keepLooking() {
      const timer = setInterval(() => void read(), lookEveryMs).unref();
      return () => clearInterval(timer);
    },
  };
}

type OfDatabase = Omit<Parts, 'temporal'>;

/** Reads still work, so the process stays ready. */
const diskFull = 'the disk of the database is full, and nothing can be written; free disk space';

const databaseAway: OfDatabase = {
  ...{ database: failed('the database does not answer'), schema: unknown, keys: unknown, installation: unknown },
};

/** One statement after the other, so that a look takes one connection at most. */
async function readDatabase({ orm, settings }: HealthSources): Promise<OfDatabase> {
  return inLane('health', async () => {
    const schema = await readSchema(orm.em);
    if (schema.state === 'failed') return { database: ok, schema, keys: unknown, installation: unknown };
    const keys = await readKeys(orm.em, settings);
    const installation = (await isElsewhere(orm.em)) ? degraded(copied) : ok;
    return { database: isDiskFull() ? degraded(diskFull) : ok, schema, keys, installation };
  });
}

/** Said by the worker, too, which does not start on such a database. */
const copied =
  'this database was copied, restored or moved, and no worker starts; say which: npm run pos -- restored mark, ' +
  'or npm run pos -- restored moved';

async function readSchema(em: EntityManager): Promise<PartState> {
  try {
    const { pending, newer } = await readSchemaState(em);
    if (pending.length > 0) return failed(`migrations are pending: ${pending.join(', ')}; run npm run migrate`);
    return newer.length === 0 ? ok : degraded(newerNotice(newer));
  } catch (error) {
    if (error instanceof OtherTables) return failed(error.message);
    if (hasNoTables(error)) return failed('the database has no tables of ours; run npm run migrate');
    throw error;
  }
}

/** With another key nothing sealed opens: no gateway's credentials, no receipt's address, no webhook's secret. */
async function readKeys(em: EntityManager, settings: Settings): Promise<PartState> {
  const sealed = await readSealedSample(em);
  if (settings.POS_SECRET_KEY === undefined) {
    const says = 'POS_SECRET_KEY is not set';
    return sealed.length === 0
      ? degraded(`${says}; nothing can be sealed until it is`)
      : failed(`${says}, and the database holds sealed values; set the key they were sealed with`);
  }
  const box = secretBoxOf(settings);
  const closed = sealed.find((one) => !opens(box, one));
  return closed === undefined
    ? ok
    : failed(`POS_SECRET_KEY does not open what is sealed (${closed.purpose}); set the key it was sealed with`);
}

type NotWell = (says: string) => PartState;

const temporalAway = (notWell: NotWell) => notWell('Temporal does not answer');

async function readTemporal({ workflows, settings }: HealthSources, notWell: NotWell): Promise<PartState> {
  if (!(await workflows.isReachable())) return temporalAway(notWell);
  const isThere = (await workflows.hasNamespace?.()) ?? true;
  return isThere
    ? ok
    : notWell(
        `Temporal has no namespace "${settings.TEMPORAL_NAMESPACE}"; run npm run pos -- temporal set-up, or correct TEMPORAL_NAMESPACE`,
      );
}

/** What is late, or fails, counts as away; the look itself ends by its own limits. */
const orAway = <Found>(check: Promise<Found>, away: Found): Promise<Found> =>
  inTime(check, new Date(Date.now() + patienceMs)).catch(() => away);

/** How often the log repeats that a part is still not well. */
const reminderMs = 60_000;

interface Trouble {
  says: string;
  since: number;
  toldAt: number;
}

/** One line when a part goes, one a minute while it stays away, one when it is back; not one for each request. */
function createNotes(log: Log, clock: () => number): (parts: Parts) => void {
  const troubles = new Map<HealthPart, Trouble>();
  const noteOne = (part: HealthPart, { state, says = '' }: PartState) => {
    // Behind a part that does not answer, nobody knows.
    if (state === 'unknown') return;
    const now = clock();
    const known = troubles.get(part);
    const forSeconds = known && Math.round((now - known.since) / 1_000);
    if (state === 'ok') {
      if (known) log.info({ part, forSeconds }, 'a part of the service is back');
      troubles.delete(part);
    } else if (known?.says !== says) {
      log.warn({ part, state, says }, 'a part of the service is missing');
      troubles.set(part, { says, since: known?.since ?? now, toldAt: now });
    } else if (now - known.toldAt >= reminderMs) {
      log.warn({ part, state, says, forSeconds }, 'a part of the service is still missing');
      known.toldAt = now;
    }
  };
  return (parts) => healthParts.forEach((part) => noteOne(part, parts[part]));
}
