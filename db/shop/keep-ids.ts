import type { EntityManager } from '@mikro-orm/postgresql';
import { count, flag, orNull, surely, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';

/** The tables of a shop file that draw their ids from a sequence. */
const drawing = [
  ...([
    ['inventory_stock', 'stock_id'],
    ['inventory_stock_source', 'link_id'],
    ['config_value', 'config_id'],
  ] as const),
  ...([
    ['tax_class', 'class_id'],
    ['tax_rate', 'rate_id'],
    ['tax_rule', 'rule_id'],
  ] as const),
  ...([
    ['attribute_set', 'attribute_set_id'],
    ['attribute_group', 'attribute_group_id'],
  ] as const),
  ...([
    ['pos_role', 'role_id'],
    ['pos_location', 'location_id'],
    ['pos_terminal', 'terminal_id'],
  ] as const),
  ...([
    ['pos_staff', 'staff_id'],
    ['pos_audit_log', 'log_id'],
    ['content_renewal', 'renewal_id'],
  ] as const),
] as const;

const readSequences = statement({
  takes: {},
  gives: { sequence: surely(text), drawn: surely(count), isCalled: surely(flag), newest: orNull(count) },
  text: drawing
    .map(
      ([table, id]) => `
    select '${table}_${id}_seq' as sequence, s.last_value as drawn, s.is_called, (select max(${id})::bigint from ${table}) as newest
    from ${table}_${id}_seq s`,
    )
    .join(' union all '),
});

/** Nobody inserts while it is held: who is at it already is not waited for. */
const holdAll = statement({
  takes: {},
  gives: { held: orNull(text) },
  text: 'select hold_shop_ids()::text as held',
});

const giveBack = statement({
  takes: { sequence: text, drawn: count, isCalled: flag },
  gives: { drawn: surely(count) },
  text: 'select setval($sequence::text::regclass, $drawn::bigint, $isCalled::boolean) as drawn',
});

type Sequence = RowFrom<typeof readSequences>;

/**
 * Runs what is taken back in the end, and gives the ids back that it drew: a rollback leaves sequences where they are.
 *
 * Ids that somebody else drew meanwhile stay drawn. Where somebody writes just now, or the role may not, the ids are lost, as
 * those of any rollback.
 */
export async function keepIds<Result>(em: EntityManager, trial: () => Promise<Result>): Promise<Result> {
  const before = await readSequences.all(em.fork());
  try {
    return await trial();
  } finally {
    const after = await readSequences.all(em.fork());
    const moved = before.filter((one) => !isSame(one, after));
    if (moved.length > 0) await restore(em, moved, after).catch(() => undefined);
  }
}

const isSame = ({ sequence, drawn, isCalled }: Sequence, others: readonly Sequence[]) =>
  others.some((other) => other.sequence === sequence && other.drawn === drawn && other.isCalled === isCalled);

const restore = (em: EntityManager, moved: readonly Sequence[], after: readonly Sequence[]) =>
  transact(em.fork(), async (tx) => {
    await holdAll.first(tx);
    const now = await readSequences.all(tx);
    for (const { sequence, drawn, isCalled } of moved) {
      const present = now.find((one) => one.sequence === sequence);
      if (!present || !isSame(present, after)) continue;
      if (present.newest === null || present.newest <= drawn) await giveBack.first(tx, { sequence, drawn, isCalled });
    }
  });
