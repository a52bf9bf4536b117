import { at, list } from './json-sql.ts';
import type { SaleTold } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';

/** The rows of an order `o`, as JSON. */
export const pointsRows = list(
  { kind: 'e.kind', delta: 'e.delta', at: at('e.created_at') },
  `from reward_points_entry e where e.order_id = o.entity_id and e.kind in ('earned', 'voided')`,
  'e.entry_id',
);

/** `100 reward points were earned.`, one event for each entry of the ledger. */
export const pointsEvents = ({ points, w }: Pick<SaleTold, 'points' | 'w'>): StoryEvent[] =>
  points.map(({ kind, delta, at: moment }) =>
    event({
      at: moment,
      what: kind === 'earned' ? w.pointsEarned(delta) : w.pointsVoided(-delta),
    }),
  );
