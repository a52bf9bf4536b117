import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { type Night } from './ops.entity.ts';

/** When the work of a night was last done: a store that is switched off at night would never do it. */

/** A night is owed when its last end is older; a schedule starts it each day, and a clock change makes a day 25 hours. */
const owedAfterHours = 26;

/** Work that made no step for so long has stopped. The check of the books is one step, and may take eight hours. */
const stoppedAfterHours = 9;

/** Records a step of the night. A repeat moves its time. */
export const markNightWorked = (em: EntityManager, night: Night): Promise<number> => worked.run(em, { night });

const worked = sql('nights.worked')`
  insert into night_run (night, worked_at, ended_at) values ($night, clock_timestamp(), '-infinity')
  on conflict (night) do update set worked_at = excluded.worked_at`;

/** Records that the night's work is done. A repeat moves its time. */
export const markNightEnded = (em: EntityManager, night: Night): Promise<number> => ended.run(em, { night });

const ended = sql('nights.ended')`
  insert into night_run (night, worked_at, ended_at) values ($night, clock_timestamp(), clock_timestamp())
  on conflict (night) do update set worked_at = excluded.worked_at, ended_at = excluded.ended_at`;

/** Nights whose work is owed and not under way. */
export const findOwedNights = async (em: EntityManager): Promise<string[]> =>
  (await owed.all(em, { owedAfterHours, stoppedAfterHours })).map(({ night }) => night);

const owed = sql('nights.owed')`
  select night from night_run
  where ended_at < clock_timestamp() - make_interval(hours => $owedAfterHours)
    and worked_at < clock_timestamp() - make_interval(hours => $stoppedAfterHours)
  order by night`;

/** How long ago each night's work was last done. */
export const readNights = (em: EntityManager): Promise<RowFrom<typeof ages>[]> => ages.all(em);

const ages = sql('nights.ages')`
  select night, extract(epoch from clock_timestamp() - greatest(ended_at, '2000-01-01'))::float8 as age_seconds
  from night_run order by night`;
