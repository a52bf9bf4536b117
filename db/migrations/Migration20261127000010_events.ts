import { Migration } from '@mikro-orm/migrations';

/**
 * Events are told by the tables themselves, in the transaction that changes them: whatever writes a row tells of it, and a
 * sale needs no statement more (`docs/inside/events.md`).
 */
export class Migration20261127000010_events extends Migration {
  override up(): void {
    this.addSql('create sequence pos_event_places');
    this.addSql(giveplaces);
    for (const { name, body } of tellers)
      this.addSql(`
create function ${name}() returns trigger language plpgsql as $$
${body.trim()}
$$`);
    for (const [trigger, table, when, teller] of triggers)
      this.addSql(`create trigger ${trigger} ${when.replace('TABLE', table)} execute function ${teller}()`);
  }

  override down(): void {
    for (const [trigger, table] of triggers) this.addSql(`drop trigger ${trigger} on ${table}`);
    for (const { name } of tellers) this.addSql(`drop function ${name}`);
    this.addSql('drop function pos_give_places(integer)');
    this.addSql('drop sequence pos_event_places');
  }
}

/**
 * Gives committed events their places in the feed, in the order of their ids, one caller at a time. What comes first of one
 * object is committed before the second begins, so a look that sees the second sees the first: places keep that order, and
 * an event that commits late gets a later place. Nobody waits: who comes second leaves it to the first. Each statement of a
 * function sees what was committed before it, so nobody numbers from an old look.
 */
const giveplaces = `
create function pos_give_places(most integer) returns integer language plpgsql as $$
declare
  given integer;
begin
  if not pg_try_advisory_xact_lock(727275) then return 0; end if;
  with placed as materialized (
    select event_id, nextval('pos_event_places') as place
    from (select event_id from pos_event where sequence is null order by event_id limit most) without
  )
  update pos_event e set sequence = p.place from placed p where e.event_id = p.event_id;
  get diagnostics given = row_count;
  return given;
end $$`;

const insert = 'insert into pos_event (type, object_kind, object_id, facts)';

/** The types that apply, each with the same object and facts. */
const tellAll = (kind: string, id: string) => `
  ${insert} select told, '${kind}', ${id}, facts from unnest(types) told where told is not null;`;

const figure = (name: string) => `trim_scale(${name})`;

const orderFacts = `jsonb_build_object('increment_id', new.increment_id, 'state', new.state, 'status', new.status,
    'currency', new.order_currency_code, 'grand_total', ${figure('new.grand_total')}, 'total_paid', ${figure('new.total_paid')},
    'total_due', ${figure('new.total_due')}, 'total_refunded', ${figure('new.total_refunded')}, 'customer_id', new.customer_id,
    'pos_sale_id', new.pos_sale_id)
    || case when new.pos_layaway_status is null then '{}'::jsonb else jsonb_build_object(
      'layaway_status', new.pos_layaway_status, 'layaway_balance_owed', ${figure('new.pos_layaway_balance_owed')},
      'layaway_expires_at', new.pos_layaway_expires_at) end`;

const isOver = (row: string) => `(${row}.pos_layaway_status = 'cancelled' or ${row}.state = 'canceled')`;
const isSettled = (row: string) =>
  `(${row}.pos_layaway_status = 'ready_to_settle' and ${row}.state not in ('pending_payment', 'canceled'))`;

const ordersIn = `
declare
  facts jsonb := ${orderFacts};
  types text[] := array['order.placed',
    case when new.total_due = 0 and new.state <> 'canceled' then 'order.paid' end,
    case when new.state = 'canceled' then 'order.cancelled' end,
    case when new.pos_layaway_status is not null then 'layaway.opened' end];
begin ${tellAll('order', 'new.entity_id::text')}
  return null;
end`;

const ordersChanged = `
declare
  facts jsonb := ${orderFacts} || jsonb_build_object('paid', ${figure('new.total_paid - old.total_paid')});
  types text[] := array[
    case when new.total_due = 0 and old.total_due > 0 and new.state <> 'canceled' then 'order.paid' end,
    case when new.state = 'canceled' and old.state <> 'canceled' then 'order.cancelled' end];
begin
  if new.pos_layaway_status is not null then
    types := types || array[
      case when old.pos_layaway_status is null then 'layaway.opened' end,
      case when new.total_paid > old.total_paid then 'layaway.paid' end,
      case when new.pos_layaway_status = 'stale' and old.pos_layaway_status <> 'stale' then 'layaway.stale' end,
      case when ${isOver('new')} and not ${isOver('old')} then 'layaway.cancelled' end,
      case when ${isSettled('new')} and not ${isSettled('old')} then 'layaway.settled' end];
  end if; ${tellAll('order', 'new.entity_id::text')}
  return null;
end`;

const memos = `
begin
  ${insert} select 'order.refunded', 'order', o.entity_id::text, jsonb_build_object('increment_id', o.increment_id,
    'credit_memo_id', new.entity_id, 'credit_memo_increment_id', new.increment_id, 'currency', o.order_currency_code,
    'refunded', ${figure('new.grand_total')}, 'base_refunded', ${figure('new.base_grand_total')}, 'is_online', new.is_online)
  from sales_order o where o.entity_id = new.order_id;
  return null;
end`;

const returnFacts = `jsonb_build_object('increment_id', new.increment_id, 'order_id', new.order_id, 'status', new.status,
    'location_id', new.location_id, 'credit_memo_id', new.credit_memo_id, 'refund_method', new.refund_method)`;
const arrived = `('received', 'received_partially', 'items_received')`;
const closed = `('resolved', 'closed', 'processed_closed')`;
const refused = `('rejected', 'denied')`;

const returnsIn = `
declare
  facts jsonb := ${returnFacts};
  types text[] := array['return.created',
    case when new.status in ${arrived} then 'return.received' end,
    case when new.credit_memo_id is not null then 'return.settled' end,
    case when new.status in ${closed} then 'return.closed' end,
    case when new.status in ${refused} then 'return.refused' end];
begin ${tellAll('return', 'new.return_id::text')}
  return null;
end`;

/** What came in by the goods is told by them. */
const returnsChanged = `
declare
  facts jsonb := ${returnFacts};
  types text[] := array[
    case when new.status in ${arrived} and old.status not in ${arrived} and old.status <> 'awaiting_refund' and not exists (
      select from sale_return_movement m join sale_return_item i on i.entity_id = m.return_item_id
      where i.return_id = new.return_id and m.kind = 'received') then 'return.received' end,
    case when new.credit_memo_id is not null and old.credit_memo_id is null then 'return.settled' end,
    case when new.status in ${closed} and old.status not in ${closed} then 'return.closed' end,
    case when new.status in ${refused} and old.status not in ${refused} then 'return.refused' end];
begin ${tellAll('return', 'new.return_id::text')}
  return null;
end`;

/** A return's status is written at the end of its transaction, and may pass over the arrival; its goods do not. */
const goods = `
begin
  ${insert} select distinct 'return.received', 'return', r.return_id::text, jsonb_build_object('increment_id', r.increment_id,
    'order_id', r.order_id, 'status', r.status, 'location_id', r.location_id, 'credit_memo_id', r.credit_memo_id,
    'refund_method', r.refund_method)
  from added a join sale_return_item i on i.entity_id = a.return_item_id join sale_return r on r.return_id = i.return_id
  where a.kind = 'received';
  return null;
end`;

const attempts = `
declare
  before text := case when tg_op = 'UPDATE' then old.state end;
  facts jsonb := jsonb_build_object('order_id', new.order_id, 'return_id', new.return_id, 'state', new.state,
    'payment_method', new.payment_method, 'amount', ${figure('new.amount')}, 'currency', new.currency_code,
    'credit_memo_id', new.credit_memo_id);
  types text[] := array[
    case when new.state = 'uncertain' and before is distinct from 'uncertain' then 'refund.uncertain' end,
    case when new.state in ('booked', 'failed') and before = 'uncertain' then 'refund.decided' end];
begin ${tellAll('refund', 'new.attempt_id::text')}
  return null;
end`;

const wallets = `
begin
  ${insert} select 'credit.changed', 'store_credit', w.wallet_id::text, jsonb_build_object('entry_id', new.entry_id,
    'delta', ${figure('new.delta')}, 'balance', ${figure('new.balance_after')}, 'currency', w.base_currency_code,
    'customer_id', w.customer_id, 'website_id', w.website_id)
  from store_credit_wallet w where w.wallet_id = new.wallet_id;
  return null;
end`;

/** Never the code: it is as good as the money. */
const cards = `
begin
  ${insert} select 'credit.changed', 'gift_card', c.card_id::text, jsonb_build_object('entry_id', new.entry_id,
    'delta', ${figure('new.delta')}, 'balance', ${figure('new.balance_after')}, 'currency', c.base_currency_code,
    'website_id', c.website_id, 'order_id', new.order_id)
  from gift_card c where c.card_id = new.card_id;
  return null;
end`;

const points = `
begin
  ${insert} select 'credit.changed', 'reward_points', a.account_id::text, jsonb_build_object('entry_id', new.entry_id,
    'delta', new.delta, 'balance', new.balance_after, 'customer_id', a.customer_id, 'website_id', a.website_id,
    'order_id', new.order_id)
  from reward_points_account a where a.account_id = new.account_id;
  return null;
end`;

const receipts = `
declare
  facts jsonb := jsonb_build_object('pos_order_id', new.pos_order_id, 'order_increment_id', new.order_increment_id,
    'location_id', new.location_id, 'terminal_id', new.terminal_id, 'grand_total', ${figure('new.grand_total')},
    'currency', new.currency, 'sale_type', new.sale_type, 'customer_id', new.customer_id,
    'claimed_order_id', new.claimed_order_id);
begin
  ${insert} values (case when tg_op = 'INSERT' then 'receipt.synced' else 'receipt.claimed' end, 'receipt',
    new.receipt_id::text, facts);
  return null;
end`;

const stock = `
declare
  item inventory_source_item := coalesce(new, old);
begin
  ${insert} values ('stock.moved', 'stock', item.sku, jsonb_build_object('sku', item.sku, 'source_code', item.source_code,
    'quantity_before', case when tg_op = 'INSERT' then 0 else ${figure('old.quantity')} end,
    'quantity', case when tg_op = 'DELETE' then 0 else ${figure('new.quantity')} end, 'status', item.status));
  return null;
end`;

/** A customer is saved with the addresses, statement by statement, and told of once: as long as nobody else comes between. */
const customers = `
declare
  untold text[] := '{updated_at, password_hash, confirmation}';
  who integer;
  as_told text;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - untold is not distinct from to_jsonb(old) - untold then return null; end if;
  if tg_table_name = 'customer' then who := coalesce(to_jsonb(new), to_jsonb(old)) ->> 'id';
  else who := coalesce(to_jsonb(new), to_jsonb(old)) ->> 'customer_id';
  end if;
  as_told := pg_current_xact_id()::text || ':' || who;
  if tg_op <> 'DELETE' and current_setting('pos.told_customer', true) = as_told then return null; end if;
  if tg_table_name <> 'customer' and not exists (select from customer where id = who) then return null; end if;
  perform set_config('pos.told_customer', as_told, true);
  ${insert} values ('customer.changed', 'customer', who::text, jsonb_build_object('change', case
    when tg_table_name <> 'customer' then 'changed' when tg_op = 'INSERT' then 'created'
    when tg_op = 'DELETE' then 'deleted' else 'changed' end));
  return null;
end`;

const terminals = `
declare
  it pos_terminal := coalesce(new, old);
  before text := case when tg_op <> 'INSERT' and old.is_active then old.device_identifier end;
  now_bound text := case when tg_op <> 'DELETE' and new.is_active then new.device_identifier end;
  facts jsonb := jsonb_build_object('location_id', it.location_id, 'is_active', tg_op <> 'DELETE' and it.is_active);
  types text[] := array[
    case when before is not null and now_bound is distinct from before then 'terminal.revoked' end,
    case when now_bound is not null and now_bound is distinct from before then 'terminal.activated' end];
begin ${tellAll('terminal', 'it.terminal_id::text')}
  return null;
end`;

const products = `
declare
  it product := coalesce(new, old);
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'updated_at' is not distinct from to_jsonb(old) - 'updated_at' then return null; end if;
  ${insert} values ('product.changed', 'product', it.entity_id::text, jsonb_build_object('sku', it.sku, 'change', case
    when tg_op = 'INSERT' then 'created' when tg_op = 'DELETE' then 'deleted' else 'changed' end));
  return null;
end`;

const publications = `
begin
  ${insert} select 'content.published', 'content', i.content_id::text, jsonb_build_object('kind', i.kind,
    'identifier', i.identifier, 'store_id', i.store_id, 'number', new.number)
  from content_item i where i.content_id = new.content_id;
  return null;
end`;

const endpoints = `
begin
  ${insert} values ('endpoint.paused', 'endpoint', new.endpoint_id::text, jsonb_build_object(
    'description', new.description, 'failing_since', new.failing_since, 'reason', new.paused_for));
  return null;
end`;

const tellers = [
  { name: 'pos_tell_order_in', body: ordersIn },
  { name: 'pos_tell_order', body: ordersChanged },
  { name: 'pos_tell_memo', body: memos },
  { name: 'pos_tell_return_in', body: returnsIn },
  { name: 'pos_tell_return', body: returnsChanged },
  { name: 'pos_tell_goods', body: goods },
  { name: 'pos_tell_attempt', body: attempts },
  { name: 'pos_tell_wallet', body: wallets },
  { name: 'pos_tell_card', body: cards },
  { name: 'pos_tell_points', body: points },
  { name: 'pos_tell_receipt', body: receipts },
  { name: 'pos_tell_stock', body: stock },
  { name: 'pos_tell_customer', body: customers },
  { name: 'pos_tell_terminal', body: terminals },
  { name: 'pos_tell_product', body: products },
  { name: 'pos_tell_content', body: publications },
  { name: 'pos_tell_endpoint', body: endpoints },
];

const differs = (...columns: readonly string[]) =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
const eachRow = (when: string) => `${when} on TABLE for each row`;

/** A row that changes otherwise costs a comparison and calls nothing. */
const triggers = [
  ['pos_told_in', 'sales_order', eachRow('after insert'), 'pos_tell_order_in'],
  [
    'pos_told',
    'sales_order',
    `${eachRow('after update')} when (${differs('state', 'total_paid', 'total_due', 'pos_layaway_status')})`,
    'pos_tell_order',
  ],
  ['pos_told', 'sales_creditmemo', `${eachRow('after insert')} when (new.state = 2)`, 'pos_tell_memo'],
  ['pos_told_in', 'sale_return', eachRow('after insert'), 'pos_tell_return_in'],
  [
    'pos_told',
    'sale_return',
    `${eachRow('after update')} when (${differs('status', 'credit_memo_id')})`,
    'pos_tell_return',
  ],
  [
    'pos_told',
    'sale_return_movement',
    'after insert on TABLE referencing new table as added for each statement',
    'pos_tell_goods',
  ],
  ['pos_told_in', 'refund_attempt', `${eachRow('after insert')} when (new.state = 'uncertain')`, 'pos_tell_attempt'],
  ['pos_told', 'refund_attempt', `${eachRow('after update')} when (${differs('state')})`, 'pos_tell_attempt'],
  ['pos_told', 'store_credit_entry', eachRow('after insert'), 'pos_tell_wallet'],
  ['pos_told', 'gift_card_entry', eachRow('after insert'), 'pos_tell_card'],
  ['pos_told', 'reward_points_entry', eachRow('after insert'), 'pos_tell_points'],
  ['pos_told_in', 'pos_receipt', eachRow('after insert'), 'pos_tell_receipt'],
  [
    'pos_told',
    'pos_receipt',
    `${eachRow('after update')} when (old.claimed_at is null and new.claimed_at is not null)`,
    'pos_tell_receipt',
  ],
  ['pos_told_in', 'inventory_source_item', eachRow('after insert or delete'), 'pos_tell_stock'],
  ['pos_told', 'inventory_source_item', `${eachRow('after update')} when (${differs('quantity')})`, 'pos_tell_stock'],
  ['pos_told', 'customer', eachRow('after insert or update or delete'), 'pos_tell_customer'],
  ['pos_told', 'customer_address', eachRow('after insert or update or delete'), 'pos_tell_customer'],
  ['pos_told', 'pos_terminal', eachRow('after insert or update or delete'), 'pos_tell_terminal'],
  ['pos_told', 'product', eachRow('after insert or update or delete'), 'pos_tell_product'],
  ['pos_told_in', 'content_publication', eachRow('after insert'), 'pos_tell_content'],
  [
    'pos_told',
    'content_publication',
    `${eachRow('after update')} when (${differs('number', 'published_at')})`,
    'pos_tell_content',
  ],
  [
    'pos_told',
    'webhook_endpoint',
    `${eachRow('after update')} when (new.state = 'paused' and old.state <> 'paused')`,
    'pos_tell_endpoint',
  ],
] as const;
