import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';

export type SubjectKind = 'order' | 'return' | 'refund';

/** What a story is about, and the order it belongs to. */
export interface Subject {
  orderId: number;
  /** Of the return, the refund attempt or the credit memo; the order's own for an order. */
  id: number;
  kind: 'order' | 'return' | 'attempt' | 'memo';
}

/** Postgres integers end here. */
const greatestId = 2_147_483_647;

/** What the id of each may bear in front: its own name, or that of its workflow. */
const prefixes: Record<SubjectKind, RegExp> = {
  order: /^(order|layaway)-(?=\d+$)/,
  return: /^return-(?=\d+$)/,
  refund: /^(refund|refund-attempt)-(?=\d+$)/,
};

const queries: Record<SubjectKind, string> = {
  order: `
    select 'order' as kind, entity_id as id, entity_id as "orderId", increment_id = $text as "isNumber"
    from sales_order where increment_id = $text or entity_id = $id`,
  return: `
    select 'return' as kind, return_id as id, order_id as "orderId", increment_id = $text as "isNumber"
    from sale_return where increment_id = $text or return_id = $id`,
  refund: `
    select 'attempt' as kind, attempt_id as id, order_id as "orderId", false as "isNumber"
    from refund_attempt where attempt_id = $id
    union all
    select case when refund_attempt_id is null then 'memo' else 'attempt' end,
           coalesce(refund_attempt_id, entity_id), order_id, true
    from sales_creditmemo where increment_id = $text`,
};

/**
 * Finds what a person means: a human number (`000000042`), an id (`42`), or a workflow's id (`return-42`), which names
 * a return only: the refund with the same number is another story. A human number wins over an id; where several stores
 * have the same number, the newest.
 *
 * A refund is a refund attempt by id, or a credit memo by number.
 *
 * Refused with 404 when nothing is known by that name.
 */
export async function findSubject(em: EntityManager, kind: SubjectKind, given: string): Promise<Subject> {
  const text = given.trim().replace(prefixes[kind], '');
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  const [sql, parameters] = bind(queries[kind], { text, id: number <= greatestId ? number : 0 });
  const [subject] = await em.execute<Subject[]>(
    `select * from (${sql}) found order by "isNumber" desc, id desc limit 1`,
    parameters,
  );
  if (!subject) throw notFound(`No ${kind} is known as %1.`, [given]);
  return { orderId: subject.orderId, id: subject.id, kind: subject.kind };
}

/** Named parameters, in the order the query has them. */
function bind(sql: string, values: { text: string; id: number }): [string, (string | number)[]] {
  const parameters: (string | number)[] = [];
  const bound = sql.replaceAll(/\$(text|id)/g, (_match, name: string) => {
    parameters.push(name === 'id' ? values.id : values.text);
    return '?';
  });
  return [bound, parameters];
}
