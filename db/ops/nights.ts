import type { EntityManager } from '@mikro-orm/postgresql';
import { definite, float, integer, text } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { NightRun, type Night } from './ops.entity.ts';

/** When the work of a night was last done: a store that is switched off at night would never do it. */

/** A night is owed when its last end is older; a schedule starts it each day, and a clock change makes a day 25 hours. */
const owedAfterHours = 26;

/** Work that made no step for so long has stopped. The check of the books is one step, and may take eight hours. */
const stoppedAfterHours = 9;

/** Records a step of the night. A repeat moves its time. */
export const markNightWorked = (em: EntityManager, night: Night): Promise<number> => worked.run(em, { night });

const worked = statement({
  takes: { night: text },
  text: `
    insert into night_run (night, worked_at, ended_at) values ($night, clock_timestamp(), '-infinity')
    on conflict (night) do update set worked_at = excluded.worked_at`,
});

/** Records that the night's work is done. A repeat moves its time. */
export const markNightEnded = (em: EntityManager, night: Night): Promise<number> => ended.run(em, { night });

const ended = statement({
  takes: { night: text },
  text: `
    insert into night_run (night, worked_at, ended_at) values ($night, clock_timestamp(), clock_timestamp())
    on conflict (night) do update set worked_at = excluded.worked_at, ended_at = excluded.ended_at`,
});

/** Nights whose work is owed and not under way. */
export const findOwedNights = async (em: EntityManager): Promise<string[]> =>
  (await owed.all(em, { owedAfterHours, stoppedAfterHours })).map(({ night }) => night);

const owed = statement({
  takes: { owedAfterHours: integer, stoppedAfterHours: integer },
  gives: of(NightRun, 'night'),
  text: `
    select night from night_run
    where ended_at < clock_timestamp() - make_interval(hours => $owedAfterHours)
      and worked_at < clock_timestamp() - make_interval(hours => $stoppedAfterHours)
    order by night`,
});

/** How long ago each night's work was last done. */
export const readNights = (em: EntityManager): Promise<RowFrom<typeof ages>[]> => ages.all(em);

const ages = statement({
  takes: {},
  gives: { ...of(NightRun, 'night'), ageSeconds: definite(float) },
  text: `
    select night, extract(epoch from clock_timestamp() - greatest(ended_at, '2000-01-01'))::float8 as age_seconds
    from night_run order by night`,
});
