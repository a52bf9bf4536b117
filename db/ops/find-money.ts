import type { EntityManager } from '@mikro-orm/postgresql';
import { idIn } from '../../domain/ids.ts';
import { definite, text, type Kind } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import type { Seen } from './doubts.ts';

/** What a number in somebody's hand can lead to. */
export type MoneyKind = 'order' | 'return' | 'refund' | 'receipt' | 'wallet' | 'gift_card';

/** Each look-up goes by an index, and ends here. */
const mostOfAKind = 20;
const most = 50;

export type FoundMoney = RowFrom<typeof selectMoney>;

/** The newest of each kind; `by` tells how much it says: a document's own number more than an address. */
const part = (kind: MoneyKind, columns: string, from: string, condition: string, order: string, by: number) => `
  (select '${kind}' as kind, ${columns}, ${by} as by from ${from} where ${condition} order by ${order} desc
    limit ${mostOfAKind})`;

const order = (condition: string, by: number, more = '') =>
  part(
    'order',
    `o.entity_id as id, o.increment_id as number, o.created_at as at, o.grand_total as amount, o.order_currency_code as currency,
     o.entity_id as order_id`,
    `sales_order o${more}`,
    condition,
    'o.entity_id',
    by,
  );
const returned = (condition: string, by: number) =>
  part(
    'return',
    `r.return_id as id, r.increment_id as number, r.created_at as at, null::numeric as amount, null::text as currency, r.order_id`,
    'sale_return r',
    condition,
    'r.return_id',
    by,
  );
const attempt = (condition: string, by: number, more = '') =>
  part(
    'refund',
    `a.attempt_id as id, 'refund-' || a.attempt_id as number, a.created_at as at, a.amount, a.currency_code as currency, a.order_id`,
    `refund_attempt a${more}`,
    condition,
    'a.attempt_id',
    by,
  );
const receipt = (condition: string, by: number) =>
  part(
    'receipt',
    `p.receipt_id as id, coalesce(p.receipt_number, p.pos_order_id) as number, p.created_at as at, p.grand_total as amount,
     p.currency, (select o.entity_id from sales_order o where o.increment_id = p.order_increment_id limit 1) as order_id`,
    'pos_receipt p',
    condition,
    'p.receipt_id',
    by,
  );

const payment = ' join sales_order_payment y on y.order_id = o.entity_id';

/** Digits of a card stand inside the text of a receipt, where no index leads: so only the newest are looked through. */
const receiptsLookedThrough = 20_000;

const numbersByCard = `(select p.order_increment_id
  from (select order_increment_id, concat_ws(' ', split_payments, terminal_info, receipt_model) as said
    from pos_receipt where $last <> '' order by receipt_id desc limit ${receiptsLookedThrough}) p
  where p.said ~ ('(last4|last_four|masked_pan)\\W{1,8}[^"]{0,40}' || $last || '\\W')
    and p.order_increment_id is not null)`;

const selectMoney = sql('find-money.selectMoney', { gives: { kind: definite(text as Kind<MoneyKind>) } })`
  select distinct on (f.by, f.at, f.kind, f.id) f.kind, f.id, f.number, f.at, f.amount, f.currency, f.order_id from (
  ${[
    order(`o.increment_id = $given`, 0),
    order(`o.entity_id = $id and $kind = 'order'`, 0),
    order(`o.pos_sale_id = $given`, 1),
    order(`o.entity_id in (select m.order_id from sales_invoice m where m.increment_id = $given)`, 1),
    // Said twice: in a shop that takes no cards the planner would think that many payments have this number.
    order(`y.last_trans_id is not null and lower(y.last_trans_id) = lower($given)`, 1, payment),
    order(
      `o.entity_id in (select t.order_id from sales_payment_transaction t where lower(t.txn_id) = lower($given))`,
      1,
    ),
    order(`y.cc_last4 = $last`, 2, payment),
    order(`o.increment_id in ${numbersByCard}`, 2),
    order(`lower(o.customer_email) = lower($given)`, 2),
    returned(`r.increment_id = $given`, 0),
    returned(`r.return_id = $id and $kind = 'return'`, 0),
    returned(`r.pos_sale_id = $given`, 1),
    attempt(`a.attempt_id = $id and $kind = 'refund'`, 0),
    attempt(`m.increment_id = $given`, 0, ' join sales_creditmemo m on m.refund_attempt_id = a.attempt_id'),
    attempt(`a.gateway_reference = $given`, 1),
    part(
      'order',
      `o.entity_id as id, o.increment_id as number, m.created_at as at, m.grand_total as amount,
        o.order_currency_code as currency,
       o.entity_id as order_id`,
      'sales_creditmemo m join sales_order o on o.entity_id = m.order_id',
      `m.increment_id = $given and m.refund_attempt_id is null`,
      'm.entity_id',
      0,
    ),
    receipt(`p.pos_order_id = $given`, 1),
    receipt(`p.receipt_number = $given`, 1),
    receipt(`p.receipt_id = $id and $kind = 'receipt'`, 0),
    part(
      'wallet',
      `w.wallet_id as id, c.email as number, w.updated_at as at, w.amount as amount, w.base_currency_code as currency,
        null::bigint as order_id`,
      'store_credit_wallet w join customer c on c.id = w.customer_id',
      `w.customer_id in (select e.id from customer e where lower(e.email) = lower($given))`,
      'w.wallet_id',
      2,
    ),
    part(
      'wallet',
      `w.wallet_id as id, c.email as number, w.updated_at as at, w.amount as amount, w.base_currency_code as currency,
        null::bigint as order_id`,
      'store_credit_wallet w join customer c on c.id = w.customer_id',
      `w.wallet_id = $id and $kind = 'wallet'`,
      'w.wallet_id',
      0,
    ),
    part(
      'gift_card',
      `g.card_id as id, '…' || right(g.code, 4) as number, g.created_at as at, g.balance as amount,
        g.base_currency_code as currency,
       null::bigint as order_id`,
      'gift_card g',
      `g.code_key = upper($given) or right(g.code_key, 4) = upper($last) or (g.card_id = $id
        and $kind = 'gift_card')`,
      'g.card_id',
      2,
    ),
  ].join(' union all ')}) f
  where $locationIds?::bigint[] is null or exists (
      select from sale_return r where r.order_id = f.order_id and r.location_id = any($locationIds::bigint[]))
    or exists (select from sales_order o join pos_receipt p on p.order_increment_id = o.increment_id
      where o.entity_id = f.order_id and p.location_id = any($locationIds::bigint[]))
  order by f.by, f.at desc, f.kind, f.id limit ${most}`;

const named = /^(order|layaway|return|refund-attempt|refund|receipt|wallet|gift_card)-(\d{1,16})$/;

/**
 * What is known by a number: of an order, return, memo, invoice or receipt, of a sale, of the processor, the last four
 * of a card, an e-mail. The surest first, then the newest. Staff find what is of their shops.
 */
export function findMoney(em: EntityManager, seen: Seen & { given: string }): Promise<FoundMoney[]> {
  const input = seen.given.trim();
  const [, word = '', id = '0'] = named.exec(input) ?? [];
  const kind = word === 'layaway' ? 'order' : word === 'refund-attempt' ? 'refund' : word;
  // As a page shows the end of a code: `…T-50`, `****4242`.
  const end = input.replace(/^(?:…|[*•]+ ?)/, '');
  const last = /^[\da-z-]{4}$/i.test(end) ? end : '';
  return selectMoney.all(em, {
    given: input,
    id: idIn(id) ?? 0,
    kind,
    last,
    locationIds: seen.locationIds,
  });
}
export type LedgerEntry = RowFrom<typeof walletEntries>;

const walletEntries = sql('find-money.walletEntries')`
  select e.created_at as at, e.delta, e.balance_after, e.reason, null::text as order_number
  from store_credit_entry e where e.wallet_id = $id order by e.entry_id desc limit 200`;

const cardEntries = sql('find-money.cardEntries')`
  select e.created_at as at, e.delta, e.balance_after, e.reason, o.increment_id as order_number
  from gift_card_entry e left join sales_order o on o.entity_id = e.order_id
  where e.card_id = $id order by e.entry_id desc limit 200`;

/** What went into a wallet or onto a gift card, and out of it, the newest first. */
export const ledgerOf = (em: EntityManager, kind: 'wallet' | 'gift_card', id: number): Promise<LedgerEntry[]> =>
  (kind === 'wallet' ? walletEntries : cardEntries).all(em, { id });

/** Money of an order, as it came and went: for the drawing. */
export type MoneyMove = RowFrom<typeof moves>;

const moves = sql('find-money.moves', { gives: { direction: definite(text as Kind<'in' | 'out'>) } })`
  with o as (select * from sales_order where entity_id = $orderId)
  select tender, direction, sum(amount) as amount, min(currency) as currency from (
    select coalesce(i.method, y.method, '?') as tender, 'in' as direction, i.amount, o.order_currency_code as currency
    from o join sales_money_in i on i.order_id = o.entity_id left
      join sales_order_payment y on y.order_id = o.entity_id
    union all
    select c.kind, 'in', c.amount, o.order_currency_code from o join order_credit c on c.order_id = o.entity_id
    where c.applies_as = 'tender'
    union all
    select c.kind, 'out', b.amount, o.order_currency_code
    from o join order_credit c on c.order_id = o.entity_id join order_credit_return b on b.credit_id = c.credit_id
    where c.applies_as = 'tender'
    union all
    select coalesce(a.payment_method, r.refund_method, y.method, '?'), 'out', coalesce(a.amount, m.grand_total
        - coalesce((select sum(b.amount) from order_credit_return b join order_credit c on c.credit_id = b.credit_id
            where b.credit_memo_id = m.entity_id and c.applies_as = 'tender'), 0)), o.order_currency_code
    from o join sales_creditmemo m on m.order_id = o.entity_id and m.figures_from <> 'save'
    left join refund_attempt a on a.credit_memo_id = m.entity_id
    left join sale_return r on r.credit_memo_id = m.entity_id
    left join sales_order_payment y on y.order_id = o.entity_id) moved
  where amount > 0 group by tender, direction order by tender, direction`;

export const movesOf = (em: EntityManager, orderId: number): Promise<MoneyMove[]> => moves.all(em, { orderId });
