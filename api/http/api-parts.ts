import type { MikroORM } from '@mikro-orm/postgresql';
import { PosError, unavailable } from '../../domain/errors.ts';
import type { Providers } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';
import type { Settings } from '../../providers/settings.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { refuseTrouble } from '../wire/refuse-trouble.ts';
import type { HealthWatch } from './health.ts';
import type { Meter } from './middleware/observe.ts';
import type { AnyRoute } from './route.ts';

/** The dependencies of all routes, made once per process. */
export interface ApiParts {
  routes: readonly AnyRoute[];
  orm: MikroORM;
  workflows: Workflows;
  providers: Providers;
  settings: Settings;
  log: Log;
  clock: () => Date;
  /** Absent: one of its own, which nobody watches. */
  health?: HealthWatch;
  /** Absent: nothing is counted. */
  meter?: Meter;
  /** Whether this process was told to end: it still answers, but is ready for nothing more. */
  isEnding?: () => boolean;
  /** The timeout of a request; default: a minute. */
  requestTimeoutMs?: number;
  /** The deadline of a write; absent: `answerWriteWithinMs`. */
  writeTimeoutMs?: number;
  /** How long content answers are cached without asking again; default: a tenth of a second. */
  contentKeptMs?: number;
  /** In tests: an answer that does not match the route's schema is a fault. */
  checkAnswers?: boolean;
}

/** Nothing has been done yet, so a database that is away is a clear "ask again". */
export async function reached<Found>(looking: Promise<Found>): Promise<Found> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof PosError) throw error;
    const refusal = refuseTrouble(error) ?? unavailable('The database cannot be reached. Try again later.').refusal;
    throw new PosError(refusal, { cause: error });
  }
}
