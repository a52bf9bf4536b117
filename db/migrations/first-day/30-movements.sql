-- Movements of money and credit, written with their documents (db/movements/movement.entity.ts). Each fact has one
-- source: a sale its receipt, a part of a layaway and a payment of what is due their row of money in, a refund its
-- memo, a cancellation without a memo its own row. Receipts of layaways and refunds only assign their documents.

-- A time zone is checked when it is written, so that reads need no exception block: one is a subtransaction per row.
create function pos_check_zone() returns trigger language plpgsql as $$
begin
  if new.time_zone <> '' then perform now() at time zone new.time_zone; end if;
  return new;
end $$;
create trigger pos_check_zone before insert or update of time_zone on pos_location
  for each row when (new.time_zone is not null) execute function pos_check_zone();
create trigger pos_check_zone before insert or update of time_zone on website
  for each row when (new.time_zone is not null) execute function pos_check_zone();

-- The time zone of a store: its own, else that of its website, else that of the default website.
create function pos_zone_of(store bigint) returns text language plpgsql stable as $$
declare zone text;
begin
  if store is not null then
    select coalesce(nullif(l.time_zone, ''), nullif(w.time_zone, '')) into zone
    from pos_location l left join website w on w.website_id = l.website_id and w.website_id <> 0
    where l.location_id = store;
  end if;
  if zone is null then
    select nullif(w.time_zone, '') into zone from website w where w.website_id <> 0
    order by w.is_default desc, w.website_id limit 1;
  end if;
  return coalesce(zone, 'UTC');
end $$;

create function pos_business_day(store bigint, moment timestamptz) returns date language plpgsql stable as $$
begin
  return (moment at time zone pos_zone_of(store))::date;
end $$;

-- The business day of a movement. It changes only with its store: a later time zone moves no past money.
create function pos_place_movement() returns trigger language plpgsql as $$
begin
  new.business_day := pos_business_day(new.location_id, new.occurred_at);
  return new;
end $$;
create trigger pos_place_new_movement before insert on pos_movement
  for each row execute function pos_place_movement();
create trigger pos_place_moved_movement before update of location_id, occurred_at on pos_movement
  for each row when ((old.location_id, old.occurred_at) is distinct from (new.location_id, new.occurred_at))
  execute function pos_place_movement();

-- One name for each tender: registers, orders and card processors name cash and cards differently.
create function pos_tender_of(method text) returns text language plpgsql stable as $$
declare name text := lower(btrim(method));
begin
  return case
    when name is null or name = '' then '?'
    when name in ('cash', 'card') then name
    when name = 'cashondelivery' then 'cash'
    when name in ('terminal', 'manual_card', 'provider_a', 'provider_b', 'provider_c') then 'card'
    when exists (select from config_value where lower(value) = name and path in (
      'vendor_pos_terminal/provider_a/magento_method', 'vendor_pos_terminal/provider_b/magento_method',
      'vendor_pos_terminal/provider_c/magento_method')) then 'card'
    else name end;
end $$;

-- A figure of a document that a register sent; null where it is none.
create function pos_figure(value text) returns numeric language sql immutable parallel safe as $$
  select case when value ~ '^\s*-?\d{1,12}(\.\d{1,12})?\s*$' then value::numeric end
$$;

create function pos_json_of(document text) returns jsonb language plpgsql immutable parallel safe as $$
begin
  return document::jsonb;
exception when data_exception then
  return null;
end $$;

create function pos_rows_of(document text) returns jsonb language plpgsql immutable parallel safe as $$
declare found jsonb;
begin
  if document is null or document in ('', '[]') then return '[]'; end if;
  found := pos_json_of(document);
  return case when jsonb_typeof(found) = 'array' then found else '[]' end;
end $$;

-- The store where an order was sold: that of its first receipt. Functions with queries are PL/pgSQL: a session plans
-- them once, and an SQL function at each call.
create function pos_store_of(ordered bigint) returns bigint language plpgsql stable as $$
begin
  return (select p.location_id from sales_order o join pos_receipt p on p.order_increment_id = o.increment_id
    where o.entity_id = ordered order by p.receipt_id limit 1);
end $$;

-- The order of a receipt: that of its sale, else the only one of its number.
create function pos_order_of(sale text, order_number text) returns bigint language plpgsql stable as $$
begin
  return coalesce((select entity_id from sales_order where pos_sale_id = sale),
    (select min(entity_id) from sales_order where increment_id = order_number having count(*) = 1));
end $$;

-- What of an order was not paid with the sale: what is due, what was collected of it later, and what goods that came
-- back took off it. An order on invoice without a due is unpaid as far as its invoices are open.
create function pos_due_at_sale(ordered bigint) returns numeric language plpgsql stable as $$
begin
  return (select case when o.pos_credit_due is not null then o.pos_credit_due + o.due_taken_off
        + coalesce((select sum(m.amount) from sales_money_in m where m.order_id = ordered and m.kind = 'credit_due'), 0)
      else coalesce((select sum(i.grand_total) from sales_invoice i where i.order_id = ordered and i.state = 1), 0) end
    from sales_order o where o.entity_id = ordered);
end $$;

-- What a sale brought in, by tender: parts of a split payment, else the one method for what no credit paid and what is
-- not due. Credit of an order is no tender of it: its own movement shows it.
create function pos_lines_of(receipt bigint, ordered bigint) returns table (tender text, amount numeric)
language plpgsql stable as $$
declare
  r record;
  total numeric;
  credit numeric := 0;
  due numeric := 0;
  order_total numeric;
  given numeric;
  excess numeric;
  cut numeric;
  tenders text[];
  amounts numeric[];
  parts jsonb;
begin
  select p.grand_total, p.amount_tendered, p.change_due, p.split_payments, p.applied_credits, p.payment_method,
    p.receipt_model into r from pos_receipt p where p.receipt_id = receipt;
  total := coalesce(r.grand_total, 0);
  given := r.amount_tendered - r.change_due;
  parts := pos_rows_of(r.split_payments);
  if r.applied_credits is not null then
    select coalesce(sum(pos_figure(c ->> 'amount')), 0) into credit from jsonb_array_elements(
      pos_rows_of(r.applied_credits)) c
    where coalesce(c ->> 'type', c ->> 'kind', c ->> 'credit_type', '') <> 'reward_points';
  end if;
  if ordered is not null then
    due := pos_due_at_sale(ordered);
    select o.grand_total, coalesce((select sum(c.amount) from order_credit c
      where c.order_id = ordered and c.applies_as = 'tender'), 0)
    into order_total, cut from sales_order o where o.entity_id = ordered;
    if order_total = total then credit := cut; end if;
  end if;
  if parts = '[]'::jsonb and (r.payment_method is null or r.payment_method = 'split') then
    parts := pos_rows_of(pos_json_of(r.receipt_model) #>> '{payment,split_payments}');
  end if;
  if parts = '[]'::jsonb and credit = 0 then
    tender := pos_tender_of(r.payment_method);
    amount := case when order_total = total then greatest(total - due, 0)
      when total > 0 and given between 0 and total then given else total end;
    if amount <> 0 then return next; end if;
    return;
  end if;
  select array_agg(p.name order by p.at), array_agg(p.figure order by p.at) into tenders, amounts
  from (
    select pos_tender_of(coalesce(part ->> 'method', part ->> 'payment_method', part ->> 'code')) as name,
      coalesce(pos_figure(part ->> 'amount'), pos_figure(part ->> 'amount_tendered')) as figure, at
    from jsonb_array_elements(parts) with ordinality as listed (part, at) where at <= 50) p
  where p.figure is not null and not (credit > 0 and p.name in ('gift_card', 'store_credit', 'reward_points'));
  if tenders is null then
    tenders := array[pos_tender_of(r.payment_method)];
    amounts := array[case when order_total = total then greatest(total - credit - due, 0)
      when total > 0 and given between 0 and total then given
      when total > 0 then greatest(total - credit, 0) else total end];
  end if;
  -- Parts may name what was handed over, or what stays due.
  excess := (select sum(a) from unnest(amounts) a) - (total - credit - due);
  if total > 0 and excess > 0 and (order_total = total or ordered is null) then
    for at in reverse array_length(tenders, 1)..1 loop
      continue when tenders[at] <> 'cash';
      cut := least(excess, coalesce(r.change_due, 0), amounts[at]);
      if cut > 0 then amounts[at] := amounts[at] - cut; excess := excess - cut; end if;
    end loop;
    excess := least(excess, due + credit);
    for at in reverse array_length(tenders, 1)..1 loop
      cut := least(excess, amounts[at]);
      continue when cut <= 0 or (tenders[at] in ('cash', 'card') and array_length(tenders, 1) > 1);
      amounts[at] := amounts[at] - cut;
      excess := excess - cut;
    end loop;
  end if;
  return query select l.t, sum(l.a) from unnest(tenders, amounts) with ordinality as l (t, a, at)
    group by l.t having sum(l.a) <> 0 order by min(l.at);
end $$;

-- Whether a receipt names a movement: a refund by its memo or its return, a payment by its reference, also in the sale
-- id that the client makes from it.
create function pos_names_movement(receipt bigint, movement bigint) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from pos_receipt r, pos_movement m left join sales_money_in i
      on m.source = 'money_in' and i.money_in_id = m.source_id
    where r.receipt_id = receipt and m.movement_id = movement
      and case when r.sale_type = 'refund' then m.kind = 'refund' and m.credit_memo_id = coalesce(r.credit_memo_id,
          (select t.credit_memo_id from sale_return t where t.return_id = r.rma_id))
        else trimmed_reference(i.reference) in (trimmed_reference(r.terminal_payment_id),
            trimmed_reference(r.receipt_number), r.pos_order_id, r.sale_id)
          or r.pos_order_id in (right('layaway-' || m.order_id || '-' || i.reference, 64),
            right('due-' || m.order_id || '-' || i.reference, 64))
          or i.reference = r.pos_order_id || '-deposit' end);
end $$;

-- What a closing contains stays: no receipt takes it from another one.
create function pos_is_in_closed_session(session bigint) returns boolean language plpgsql stable as $$
begin
  return session is not null and exists (
    select from pos_register_session where session_id = session and state = 'closed');
end $$;

-- The movements that a receipt of a layaway or a refund belongs to: those that it names, else one of its amount. A
-- movement that another receipt only matched by amount goes to the receipt that names it. One paper for all tenders
-- of a refund has all of them.
create function pos_movements_of(receipt bigint, ordered bigint) returns bigint[] language plpgsql stable as $$
declare
  r pos_receipt;
  named bigint[];
  found bigint;
  total numeric;
  figure numeric;
begin
  select * into r from pos_receipt where receipt_id = receipt;
  figure := abs(coalesce(r.layaway_amount_captured, r.grand_total));
  select array_agg(m.movement_id order by m.tender = pos_tender_of(r.payment_method) desc,
      abs(m.amount) = figure desc nulls last, m.movement_id), abs(sum(m.amount)) into named, total
  from pos_movement m
  where (m.order_id = ordered or m.credit_memo_id = coalesce(r.credit_memo_id,
      (select t.credit_memo_id from sale_return t where t.return_id = r.rma_id)))
    and pos_names_movement(receipt, m.movement_id)
    and (m.receipt_id is null or (not pos_is_in_closed_session(m.session_id)
      and not pos_names_movement(m.receipt_id, m.movement_id)));
  if named is not null then
    return case when total = figure then named else named[1:1] end;
  end if;
  if r.sale_type = 'refund' then
    if r.credit_memo_id is null and r.rma_id is null then
      select m.movement_id into found from pos_movement m
      where m.order_id = ordered and m.kind = 'refund' and m.receipt_id is null
        and (m.terminal_id is null or m.terminal_id = r.terminal_id)
        and (-m.amount = figure or m.source = 'cancellation')
      order by -m.amount = figure desc nulls last, m.tender = pos_tender_of(r.payment_method) desc, m.movement_id limit 1;
    end if;
  else
    select m.movement_id into found
    from pos_movement m left join sales_money_in i on i.money_in_id = m.source_id
    where m.source = 'money_in' and m.order_id = ordered and m.receipt_id is null
      and (m.terminal_id is null or m.terminal_id = r.terminal_id)
      and (m.amount = figure or (r.layaway_kind = 'deposit' and i.kind = 'placement'))
      -- A receipt that names a payment which is booked already is a second paper of it.
      and not exists (select from pos_movement n
        where n.order_id = ordered and pos_names_movement(receipt, n.movement_id))
    order by m.amount = figure desc nulls last, m.tender = pos_tender_of(r.payment_method) desc, m.movement_id limit 1;
  end if;
  return case when found is not null then array[found] end;
end $$;

-- A receipt of a layaway or a refund assigns its document: to terminal, session, staff and, where the document does
-- not state it, to its tender.
create function pos_assign_by_receipt(receipt bigint, ordered bigint) returns void language plpgsql as $$
declare
  r pos_receipt;
  held bigint[];
  found bigint[];
  displaced bigint[];
begin
  select * into r from pos_receipt where receipt_id = receipt;
  select array_agg(movement_id) into held from pos_movement where receipt_id = receipt;
  found := pos_movements_of(receipt, ordered);
  if found is null then return; end if;
  if held is not null then
    -- It held one of its amount, and the one that it names is here now.
    if exists (select from unnest(held) m where pos_names_movement(receipt, m))
      or not exists (select from unnest(found) m where pos_names_movement(receipt, m))
      or exists (select from pos_movement m where m.movement_id = any(held) and pos_is_in_closed_session(m.session_id))
    then return; end if;
    update pos_movement m set receipt_id = null, terminal_id = nullif(m.terminal_id, r.terminal_id),
      register_session_uuid = nullif(m.register_session_uuid, r.register_session_uuid),
      session_id = case when m.register_session_uuid = r.register_session_uuid then null else m.session_id end,
      staff_id = nullif(m.staff_id, r.staff_id)
    where m.movement_id = any(held);
  end if;
  select array_agg(distinct receipt_id) into displaced from pos_movement
  where movement_id = any(found) and receipt_id is not null;
  update pos_movement m set receipt_id = r.receipt_id,
    location_id = coalesce(case when m.terminal_id is null or p.receipt_id is not null then r.location_id end,
      m.location_id, r.location_id),
    terminal_id = coalesce(case when p.terminal_id = m.terminal_id then r.terminal_id end, m.terminal_id, r.terminal_id),
    register_session_uuid = coalesce(case when p.register_session_uuid = m.register_session_uuid
      then r.register_session_uuid end, m.register_session_uuid, r.register_session_uuid),
    staff_id = coalesce(case when p.staff_id = m.staff_id then r.staff_id end, m.staff_id, r.staff_id),
    tender = case when m.is_tender_stated or r.payment_method is null then m.tender
      else pos_tender_of(r.payment_method) end
  from pos_movement before left join pos_receipt p on p.receipt_id = before.receipt_id
  where m.movement_id = any(found) and before.movement_id = m.movement_id;
  -- Each step gives a movement to the receipt that names it, so it ends.
  for receipt in select unnest(displaced) loop
    perform pos_assign_by_receipt(receipt, ordered);
  end loop;
  if held is not null then perform pos_assign_by_earlier_receipts(ordered, null); end if;
end $$;

-- Assigns what a new document moved by receipts that were here before it.
create function pos_assign_by_earlier_receipts(ordered bigint, returned bigint) returns void language plpgsql as $$
declare
  earlier bigint;
  number text;
  is_layaway boolean;
begin
  select o.increment_id, o.pos_layaway_status is not null into number, is_layaway
  from sales_order o where o.entity_id = ordered;
  for earlier in
    select p.receipt_id from pos_receipt p where p.receipt_id in (
        select receipt_id from pos_receipt where order_increment_id = number
        union select receipt_id from pos_receipt where original_order_increment_id = number
        union select receipt_id from pos_receipt where rma_id = returned)
      and (p.layaway_kind is not null or p.sale_type = 'refund' or is_layaway)
      and not exists (select from pos_movement m
        where m.receipt_id = p.receipt_id and pos_names_movement(p.receipt_id, m.movement_id))
      and coalesce(pos_order_of(p.pos_order_id, p.order_increment_id), ordered) = ordered
    order by p.receipt_id loop
    perform pos_assign_by_receipt(earlier, ordered);
  end loop;
end $$;

create function pos_assign_new_movement() returns trigger language plpgsql as $$
begin
  perform pos_assign_by_earlier_receipts(new.order_id, null);
  return null;
end $$;
create trigger pos_assign_new_movement after insert on pos_movement
  for each row when (new.source in ('money_in', 'memo', 'cancellation')) execute function pos_assign_new_movement();

create function pos_move_by_receipt() returns trigger language plpgsql as $$
declare
  ordered bigint;
  is_layaway boolean := false;
  tenders text[];
  amounts numeric[];
begin
  if new.order_increment_id is not null then
    ordered := pos_order_of(new.pos_order_id, new.order_increment_id);
    select o.pos_layaway_status is not null into is_layaway from sales_order o where o.entity_id = ordered;
  end if;
  if new.layaway_kind is not null or new.sale_type = 'refund' or is_layaway then
    ordered := coalesce(ordered, pos_order_of(null, new.original_order_increment_id),
      (select t.order_id from sale_return t where t.return_id = new.rma_id));
    -- A document of the order that is being written commits first, or sees this receipt.
    perform from sales_order where entity_id = ordered for share;
    if is_layaway then delete from pos_movement where source = 'receipt' and source_id = new.receipt_id; end if;
    perform pos_assign_by_receipt(new.receipt_id, ordered);
    return null;
  end if;
  if ordered is not null then
    -- Credit that paid a part was redeemed with the order, before its store was known.
    update pos_movement set location_id = new.location_id, terminal_id = new.terminal_id, staff_id = new.staff_id,
      register_session_uuid = new.register_session_uuid, receipt_id = new.receipt_id
    where order_id = ordered and source = 'order_credit' and terminal_id is null;
  end if;
  select array_agg(l.tender), array_agg(l.amount) into tenders, amounts from pos_lines_of(new.receipt_id, ordered) l;
  if tg_op = 'UPDATE' then
    update pos_movement set order_id = ordered where source = 'receipt' and source_id = new.receipt_id;
    -- Lines that a closing has stay, and corrections are lines after them: sums by tender are compared.
    if (select coalesce(array_agg(row(l.tender, l.amount)::text order by l.tender), '{}')
        from unnest(tenders, amounts) as l (tender, amount)) = (
      select coalesce(array_agg(row(m.tender, m.amount)::text order by m.tender), '{}')
      from (select tender, sum(amount) as amount from pos_movement
        where source = 'receipt' and source_id = new.receipt_id group by tender having sum(amount) <> 0) m)
    then return null; end if;
    delete from pos_movement where source = 'receipt' and source_id = new.receipt_id;
  end if;
  insert into pos_movement (source, source_id, line, kind, tender, amount, currency, location_id, terminal_id,
    register_session_uuid, staff_id, order_id, receipt_id, occurred_at)
  select 'receipt', new.receipt_id, l.line + coalesce((select max(line) from pos_movement
      where source = 'receipt' and source_id = new.receipt_id), -1), case when l.amount < 0 then 'refund' else 'sale' end,
    l.tender, l.amount, upper(coalesce(new.currency, (select o.order_currency_code from sales_order o
      where o.entity_id = ordered), '?')), new.location_id, new.terminal_id, new.register_session_uuid, new.staff_id,
    ordered, new.receipt_id, new.created_at
  from unnest(tenders, amounts) with ordinality as l (tender, amount, line);
  return null;
end $$;
create trigger pos_move_by_receipt after insert on pos_receipt
  for each row execute function pos_move_by_receipt();
create trigger pos_move_by_linked_receipt after update of order_increment_id on pos_receipt
  for each row when (old.order_increment_id is distinct from new.order_increment_id)
  execute function pos_move_by_receipt();

-- A part of a layaway, a payment of what is due, and an invoice as far as its sale was not paid at the register.
create function pos_move_by_money_in() returns trigger language plpgsql as $$
declare
  o record;
  place pos_movement_place;
  store bigint;
  moved numeric := new.amount;
begin
  if new.kind = 'placement' and not exists (select from sales_order s
      where s.entity_id = new.order_id and s.pos_layaway_status is not null) then return null; end if;
  select increment_id, grand_total, order_currency_code, pos_layaway_status into o
  from sales_order where entity_id = new.order_id;
  if new.kind = 'invoice' and o.pos_layaway_status is null then
    -- Without its receipt, the sale has no movement yet: the receipt states all of it.
    if not exists (select from pos_receipt p where p.order_increment_id = o.increment_id
        and p.sale_type is distinct from 'refund' and p.layaway_kind is null) then return null; end if;
    select least(new.amount, o.grand_total - coalesce(sum(m.amount), 0)) into moved from pos_movement m
    where m.order_id = new.order_id and m.kind in ('sale', 'payment', 'credit_redeemed');
    if moved <= 0 then return null; end if;
  end if;
  select * into place from pos_movement_place where place_key = 'operation ' || new.operation_key;
  store := coalesce((select t.location_id from pos_terminal t where t.terminal_id = place.terminal_id),
    pos_store_of(new.order_id));
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, terminal_id,
    register_session_uuid, order_id, is_tender_stated, occurred_at)
  values ('money_in', new.money_in_id, case when o.pos_layaway_status is null or new.kind = 'credit_due'
      then 'payment' else 'deposit' end, pos_tender_of(new.method), moved, upper(coalesce(o.order_currency_code, '?')),
    store, place.terminal_id, place.register_session_uuid, new.order_id, new.kind = 'layaway_capture', new.created_at)
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_money_in after insert on sales_money_in
  for each row when (new.kind <> 'credit' and new.amount > 0) execute function pos_move_by_money_in();

-- What a memo hands back is its total without what goes back as credit.
create function pos_move_by_memo() returns trigger language plpgsql as $$
begin
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, terminal_id,
    register_session_uuid, order_id, credit_memo_id, is_tender_stated, occurred_at)
  select 'memo', new.entity_id, 'refund', pos_tender_of(coalesce(a.payment_method, r.refund_method, y.method)),
    coalesce((select sum(b.amount) from order_credit_return b join order_credit c on c.credit_id = b.credit_id
      where b.credit_memo_id = new.entity_id and c.applies_as = 'tender'), 0) - new.grand_total,
    upper(coalesce(o.order_currency_code, '?')), s.store, p.terminal_id, p.register_session_uuid, new.order_id,
    new.entity_id, coalesce(a.payment_method, r.refund_method) is not null, new.created_at
  from sales_order o
  left join sales_order_payment y on y.order_id = o.entity_id
  left join refund_attempt a on a.attempt_id = new.refund_attempt_id
  left join sale_return r on r.return_id = a.return_id
  left join pos_movement_place p on p.place_key = 'return ' || a.return_id
  left join pos_terminal t on t.terminal_id = p.terminal_id
  cross join lateral (select coalesce(t.location_id, r.location_id, pos_store_of(new.order_id)) as store) s
  where o.entity_id = new.order_id
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_memo after insert on sales_creditmemo
  for each row when (new.figures_from <> 'save') execute function pos_move_by_memo();

-- A memo that several tenders gave back has a movement for each: the line is the number of the tender. Each is of the
-- register whose settle sent the tender last.
create function pos_split_by_tenders(returned bigint, memo bigint) returns void language plpgsql as $$
declare m pos_movement;
begin
  select * into m from pos_movement where source = 'memo' and source_id = memo and line = 0;
  if not found then return; end if;
  delete from pos_movement where movement_id = m.movement_id;
  insert into pos_movement (source, source_id, line, kind, tender, amount, currency, location_id, terminal_id,
    register_session_uuid, staff_id, order_id, credit_memo_id, is_tender_stated, occurred_at)
  select 'memo', memo, t.line_id, m.kind,
    pos_tender_of(case t.method when 'original_payment' then t.payment_method else t.method end), -t.amount, m.currency,
    s.store, coalesce(p.terminal_id, m.terminal_id), coalesce(p.register_session_uuid, m.register_session_uuid),
    m.staff_id, m.order_id, m.credit_memo_id, true, m.occurred_at
  from sale_return_tender t
  left join pos_movement_place p on p.place_key = 'operation ' || t.request_key
  left join pos_terminal k on k.terminal_id = p.terminal_id
  cross join lateral (select coalesce(k.location_id, m.location_id) as store) s
  where t.return_id = returned;
end $$;

-- A return that is linked to its memo afterwards, in the same transaction, states store and tender.
create function pos_assign_by_return() returns trigger language plpgsql as $$
begin
  update pos_movement m set location_id = coalesce(t.location_id, new.location_id, m.location_id),
    terminal_id = coalesce(m.terminal_id, p.terminal_id),
    register_session_uuid = coalesce(m.register_session_uuid, p.register_session_uuid),
    tender = case when m.source <> 'memo' or m.line > 0 then m.tender else coalesce(pos_tender_of(coalesce(
      (select a.payment_method from refund_attempt a where a.credit_memo_id = new.credit_memo_id limit 1),
      new.refund_method, m.tender))) end,
    is_tender_stated = m.is_tender_stated or new.refund_method is not null
  from (select 1) as one
  left join pos_movement_place p on p.place_key = 'return ' || new.return_id
  left join pos_terminal t on t.terminal_id = p.terminal_id
  where m.credit_memo_id = new.credit_memo_id and m.receipt_id is null;
  if new.has_tenders and not exists (select from pos_movement m
      where m.source = 'memo' and m.source_id = new.credit_memo_id and m.line > 0) then
    perform pos_split_by_tenders(new.return_id, new.credit_memo_id);
  end if;
  perform pos_assign_by_earlier_receipts(new.order_id, new.return_id);
  return null;
end $$;
create trigger pos_assign_by_new_return after insert on sale_return
  for each row when (new.credit_memo_id is not null) execute function pos_assign_by_return();
create trigger pos_assign_by_return after update of credit_memo_id, refund_method, location_id on sale_return
  for each row when (new.credit_memo_id is not null) execute function pos_assign_by_return();

-- The cancellation of a layaway hands back by the tender of its first deposit. Its memo, where it has one, is the
-- movement.
create function pos_move_by_cancellation() returns trigger language plpgsql as $$
declare
  place pos_movement_place;
  store bigint;
begin
  select * into place from pos_movement_place where place_key = 'operation ' || new.operation_key;
  store := coalesce((select t.location_id from pos_terminal t where t.terminal_id = place.terminal_id),
    pos_store_of(new.order_id));
  update pos_movement set tender = pos_tender_of(new.refund_method), is_tender_stated = true,
    location_id = case when place.terminal_id is null then coalesce(location_id, store) else store end,
    terminal_id = coalesce(place.terminal_id, terminal_id),
    register_session_uuid = coalesce(place.register_session_uuid, register_session_uuid)
  where source = 'memo' and source_id = new.credit_memo_id;
  if new.credit_memo_id is not null then return null; end if;
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, terminal_id,
    register_session_uuid, order_id, occurred_at)
  select 'cancellation', new.order_id, 'refund', pos_tender_of(new.refund_method), -new.refund,
    upper(coalesce(o.order_currency_code, '?')), store, place.terminal_id, place.register_session_uuid, new.order_id,
    new.created_at
  from sales_order o where o.entity_id = new.order_id
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_cancellation after insert on layaway_cancellation
  for each row execute function pos_move_by_cancellation();

create function pos_move_by_order_credit() returns trigger language plpgsql as $$
begin
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, order_id, occurred_at)
  select 'order_credit', new.credit_id, 'credit_redeemed', new.kind, new.amount,
    upper(coalesce(o.order_currency_code, '?')), s.store, new.order_id, new.created_at
  from sales_order o cross join lateral (select coalesce((select p.location_id from pos_receipt p
    where p.pos_order_id = o.pos_sale_id), pos_store_of(new.order_id)) as store) s
  where o.entity_id = new.order_id
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_order_credit after insert on order_credit
  for each row when (new.applies_as = 'tender') execute function pos_move_by_order_credit();

create function pos_move_by_credit_return() returns trigger language plpgsql as $$
declare is_tender boolean;
begin
  select c.applies_as = 'tender' into is_tender from order_credit c where c.credit_id = new.credit_id;
  if is_tender and new.credit_memo_id is not null then
    update pos_movement set amount = amount + new.amount where source = 'memo' and source_id = new.credit_memo_id;
  end if;
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, order_id, credit_memo_id,
    occurred_at)
  select 'credit_return', new.credit_return_id, case when is_tender then 'credit_issued' else 'credit_given' end,
    k.kind, new.amount, upper(coalesce(o.order_currency_code, '?')), s.store, k.order_id, new.credit_memo_id,
    new.created_at
  from order_credit k join sales_order o on o.entity_id = k.order_id
  cross join lateral (select coalesce(
    (select r.location_id from sale_return r where r.credit_memo_id = new.credit_memo_id limit 1),
    pos_store_of(k.order_id)) as store) s
  where k.credit_id = new.credit_id
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_credit_return after insert on order_credit_return
  for each row when (new.amount > 0) execute function pos_move_by_credit_return();

create function pos_move_by_credit_refund() returns trigger language plpgsql as $$
declare store bigint := pos_store_of(new.order_id);
begin
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, order_id, occurred_at)
  values ('credit_refund', new.refund_id, 'credit_issued', new.kind, new.amount,
    upper(coalesce(new.currency_code, '?')), store, new.order_id, new.concluded_at)
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_credit_refund after insert or update of state on credit_refund
  for each row when (new.state = 'booked') execute function pos_move_by_credit_refund();

-- What the office gave has no store.
create function pos_move_by_office() returns trigger language plpgsql as $$
declare currency text;
begin
  if tg_argv[0] = 'wallet_entry' then
    select w.base_currency_code into currency from store_credit_wallet w where w.wallet_id = new.wallet_id;
  else
    select g.base_currency_code into currency from gift_card g where g.card_id = new.card_id;
  end if;
  insert into pos_movement (source, source_id, kind, tender, amount, currency, occurred_at)
  values (tg_argv[0], new.entry_id, 'credit_given', tg_argv[1], new.delta, upper(currency), new.created_at)
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_wallet after insert on store_credit_entry
  for each row when (new.booking_key is null and new.delta > 0)
  execute function pos_move_by_office('wallet_entry', 'store_credit');
create trigger pos_move_by_card after insert on gift_card_entry
  for each row when (new.order_id is null and new.delta > 0)
  execute function pos_move_by_office('card_entry', 'gift_card');

-- An incident is paid out when it is closed with the proof. Store credit is an entry of its wallet.
create function pos_move_by_incident() returns trigger language plpgsql as $$
begin
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, order_id, occurred_at)
  select 'incident', new.case_id, 'refund', pos_tender_of(case new.means when 'cash' then 'cash'
      when 'transfer' then 'banktransfer' else a.payment_method end), -new.amount,
    upper(new.currency_code), s.store, a.order_id, new.closed_at
  from refund_attempt a left join sale_return r on r.return_id = a.return_id
  cross join lateral (select coalesce(r.location_id, pos_store_of(a.order_id)) as store) s
  where a.attempt_id = new.attempt_id
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_incident after update of closed_at on refund_case
  for each row when (old.closed_at is null and new.closed_at is not null and new.means <> 'store_credit')
  execute function pos_move_by_incident();

-- Documents are never deleted; where a person deletes one all the same, its movement goes with it.
create function pos_movement_gone() returns trigger language plpgsql as $$
begin
  delete from pos_movement where source = tg_argv[0] and source_id = (to_jsonb(old) ->> tg_argv[1])::bigint;
  return null;
end $$;
create trigger pos_movement_of_receipt_gone after delete on pos_receipt
  for each row execute function pos_movement_gone('receipt', 'receipt_id');
create trigger pos_movement_of_money_in_gone after delete on sales_money_in
  for each row execute function pos_movement_gone('money_in', 'money_in_id');
create trigger pos_movement_of_memo_gone after delete on sales_creditmemo
  for each row execute function pos_movement_gone('memo', 'entity_id');
create trigger pos_movement_of_cancellation_gone after delete on layaway_cancellation
  for each row execute function pos_movement_gone('cancellation', 'order_id');
create trigger pos_movement_of_credit_gone after delete on order_credit
  for each row execute function pos_movement_gone('order_credit', 'credit_id');
create trigger pos_movement_of_credit_return_gone after delete on order_credit_return
  for each row execute function pos_movement_gone('credit_return', 'credit_return_id');
create trigger pos_movement_of_incident_gone after delete on refund_case
  for each row execute function pos_movement_gone('incident', 'case_id');
create trigger pos_movement_of_credit_refund_gone after delete on credit_refund
  for each row execute function pos_movement_gone('credit_refund', 'refund_id');
