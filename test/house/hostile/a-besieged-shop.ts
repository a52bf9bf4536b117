import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { conflict } from '../../../domain/errors.ts';
import { testApi } from '../../support/api.ts';
import { idsBefore } from '../../support/first-id.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { wholeShop } from './whole-shop.ts';
import { writeJournal } from './write-journal.ts';

/** How every question to a workflow is refused. */
export const busyMessage = 'Somebody is at it.';

const busy = () => Promise.reject(conflict('return_not_ready', busyMessage));

/** What got as far as a workflow got past every check of its arguments; that is far enough here. */
const everybodyIsBusy: Workflows = {
  ask: busy,
  signal: busy,
  start: async () => undefined,
  refuseWhileAway: async () => undefined,
  isReachable: async () => true,
};

/** The whole API over a shop that has one of everything, with note taken of each write. Close `api` afterwards. */
export async function aBesiegedShop() {
  const api = await testApi({ settings: { POS_SECRET_KEY: secretKey }, workflows: everybodyIsBusy });
  const shop = await wholeShop(api, await aShop(api.orm.em.fork()));
  // A shop with ids so large has counted up to them: a list would note in its first answer that nothing lies below.
  await api.orm.em.execute(
    `insert into pos_growing_count (counted_table, up_to) select t, ? from unnest(array['pos_receipt', 'pos_audit_log']) t`,
    [idsBefore],
  );
  return { api, shop, journal: await writeJournal(api.orm) };
}
export type BesiegedShop = Awaited<ReturnType<typeof aBesiegedShop>>;
