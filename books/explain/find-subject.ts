import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely, text, type Kind } from '../../db/support/kinds.ts';
import { statement } from '../../db/support/statement.ts';
import { notFound } from '../../domain/errors.ts';

export type SubjectKind = 'order' | 'return' | 'refund';

/** The subject of a story, and the order it belongs to. */
export interface Subject {
  orderId: number;
  /** Of the return, the refund attempt or the credit memo; the order's own for an order. */
  id: number;
  kind: 'order' | 'return' | 'attempt' | 'memo';
}

/** The largest integer of PostgreSQL. */
const greatestId = 2_147_483_647;

/** The prefixes that an id may have: its own name, or its workflow's. */
const prefixes: Record<SubjectKind, RegExp> = {
  order: /^(order|layaway)-(?=\d+$)/,
  return: /^return-(?=\d+$)/,
  refund: /^(refund|refund-attempt)-(?=\d+$)/,
};

/** A document number wins over an id; among several stores, the newest document wins. */
const find = (kinds: string) =>
  statement({
    takes: { number: text, id: integer },
    gives: { kind: surely(text as Kind<Subject['kind']>), id: surely(integer), orderId: surely(integer) },
    text: `select kind, id, order_id from (${kinds}) found order by is_number desc, id desc limit 1`,
  });

const queries = {
  order: find(`
    select 'order' as kind, entity_id as id, entity_id as order_id, increment_id = $number as is_number
    from sales_order where increment_id = $number or entity_id = $id`),
  return: find(`
    select 'return' as kind, return_id as id, order_id, increment_id = $number as is_number
    from sale_return where increment_id = $number or return_id = $id`),
  refund: find(`
    select 'attempt' as kind, attempt_id as id, order_id, false as is_number
    from refund_attempt where attempt_id = $id
    union all
    select case when refund_attempt_id is null then 'memo' else 'attempt' end,
           coalesce(refund_attempt_id, entity_id), order_id, true
    from sales_creditmemo where increment_id = $number and figures_from <> 'save'`),
} satisfies Record<SubjectKind, unknown>;

/**
 * Finds the subject that a person names: by document number (`000000042`), by id (`42`), or by a workflow's id.
 * `return-42` means only the return, not a refund with the same number. A document number wins over an id; among
 * several stores, the newest document wins.
 *
 * A refund is a refund attempt by id, or a credit memo by number.
 *
 * Refused with 404 when nothing has that name.
 */
export async function findSubject(em: EntityManager, kind: SubjectKind, given: string): Promise<Subject> {
  const name = given.trim().replace(prefixes[kind], '');
  const number = /^\d{1,10}$/.test(name) ? Number(name) : 0;
  const subject = await queries[kind].first(em, { number: name, id: number <= greatestId ? number : 0 });
  if (!subject) throw notFound(`No ${kind} is known as %1.`, [given]);
  return subject;
}
