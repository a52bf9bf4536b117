import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, orNull } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Terminal } from '../terminals/terminal.entity.ts';

/** A terminal as a kiosk: whether it is active, and the website of its customers. */
export type Kiosk = RowFrom<typeof read>;

/** The terminal with the store view of its location; undefined where it does not exist. */
export const findKiosk = (em: EntityManager, terminalId: number): Promise<Kiosk | undefined> =>
  read.first(em, { terminalId });

const read = statement({
  takes: { terminalId: integer },
  gives: {
    ...of(Terminal, 'isActive'),
    /** Its location belongs to a website; otherwise the store of the request counts. */
    isPlaced: flag,
    storeId: orNull(integer),
    websiteId: orNull(integer),
  },
  text: `
    select t.is_active, coalesce(p.website_id, 0) > 0 as is_placed, v.store_id, v.website_id
    from pos_terminal t
    left join pos_location p using (location_id)
    left join lateral pos_view_of_place(p.website_id, p.store_view_id) v on true
    where t.terminal_id = $terminalId`,
});
