-- Neither trail nor receipts are ever purged; should a person take some out all the same, everything is counted
-- anew. Nobody notes a count meanwhile: it would still have what is about to be gone.
create function pos_growing_count_forgotten() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('count of ' || tg_table_name, 0));
  delete from pos_growing_count where counted_table = tg_table_name;
  execute format('delete from %I', tg_argv[0]);
  return null;
end $$;
create trigger pos_audit_log_count_forgotten after delete or truncate on pos_audit_log
  for each statement execute function pos_growing_count_forgotten('pos_audit_log_count');
create trigger pos_receipt_count_forgotten after delete or truncate on pos_receipt
  for each statement execute function pos_growing_count_forgotten('pos_receipt_count');

-- Totals of lists are kept by triggers: a row of pos_list_count for each statement that adds or takes rows, and two for
-- a row whose counted values change. Nobody waits for anybody: rows are only added, with the size `new`. Counted are the
-- lists below, each by values of which there are few, and by the day of its time: `#` stands for the row.
do $do$
declare
  one record;
  names text;
  expressions text;
begin
  for one in select * from (values
    ('sales_order', 'entity_id', 'created_at', '{store_id, state, status, pos_layaway_status}'::text[]),
    ('sales_order_item', 'item_id', 'created_at', '{}'),
    ('sales_invoice', 'entity_id', 'created_at', '{store_id, state}'),
    ('sales_shipment', 'entity_id', 'created_at', '{store_id}'),
    ('sales_creditmemo', 'entity_id', 'created_at', '{store_id, state}'),
    ('sales_payment_transaction', 'transaction_id', 'created_at', '{}'),
    ('customer', 'id', 'created_at', '{website_id, store_id, group_id, gender, created_in}'),
    ('product', 'entity_id', 'created_at', '{type_id, attribute_set_id, visibility, status, tax_class_id, website_ids}'),
    ('inventory_source_item', null, null, '{source_code, status}'),
    ('sale_return', 'return_id', 'created_at', '{store_id, status}'),
    ('sales_coupon', 'coupon_id', 'created_at', '{rule_id, is_generated}'),
    ('bulk_operation', 'operation_id', 'started_at', '{status}'),
    ('tax_rate', null, null, '{country_id}')
  ) as list (name, key, moment, columns)
  loop
    names := concat_ws(', ', variadic array['day', 'least_key'] || one.columns);
    expressions := concat_ws(', ', variadic
      array[coalesce('(#.' || one.moment || ' at time zone ''UTC'')::date', 'null::date'), coalesce('?#.' || one.key, '?null::bigint')]
      || array(
        select case when one.name = 'sale_return' and name = 'store_id'
          -- The store view of an order never changes.
          then '(select o.store_id from sales_order o where o.entity_id = #.order_id)' else '#.' || name end
        from unnest(one.columns) with ordinality as listed (name, at) order by at));
    execute format($sql$
create function %1$s_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into pos_list_count (list, counted, %2$s) select '%1$s', count(*), %3$s from added group by %5$s;
  elsif tg_op = 'DELETE' then
    insert into pos_list_count (list, counted, %2$s) select '%1$s', -count(*), %4$s from taken group by %5$s;
  elsif tg_op = 'TRUNCATE' then delete from pos_list_count where list = '%1$s';
  end if;
  return null;
end $$;
create trigger %1$s_counted_in after insert on %1$s referencing new table as added
  for each statement execute function %1$s_counted();
create trigger %1$s_counted_out after delete on %1$s referencing old table as taken
  for each statement execute function %1$s_counted();
create trigger %1$s_counted_gone after truncate on %1$s for each statement execute function %1$s_counted();
$sql$, one.name, names,
      regexp_replace(replace(expressions, '#', 'added'), '\?([a-z_.:]+)', 'min(\1)'),
      regexp_replace(replace(expressions, '#', 'taken'), '\?([a-z_.:]+)', 'null::bigint'),
      -- The third value is the day, the fourth the key.
      (select string_agg(at::text, ', ') from generate_series(3, 4 + cardinality(one.columns)) at where at <> 4));
    continue when one.moment is null and one.columns = '{}';
    execute format($sql$
create function %1$s_recounted() returns trigger language plpgsql as $$
begin
  insert into pos_list_count (list, counted, %2$s) values ('%1$s', -1, %3$s), ('%1$s', 1, %4$s);
  return null;
end $$;
create trigger %1$s_recounted after update on %1$s for each row when (%5$s) execute function %1$s_recounted();
$sql$, one.name, names,
      regexp_replace(replace(expressions, '#', 'old'), '\?([a-z_.:]+)', 'null::bigint'),
      replace(replace(expressions, '#', 'new'), '?', ''), (
      select string_agg(format('old.%1$s is distinct from new.%1$s', name), ' or ')
      from unnest(array_remove(array_append(one.columns, one.moment), null)) as name
      where not (one.name = 'sale_return' and name = 'store_id')
    ));
  end loop;
end $do$;

-- Goods are counted in each of their categories too: a catalogue may have a category with most of them.
do $do$
declare
  columns text := 'type_id, attribute_set_id, visibility, status, tax_class_id, website_ids';
begin
  execute format($sql$
create function product_counted_in_categories() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into pos_list_count (list, category_id, counted, %1$s)
    select 'product_in_category', category, count(*), %1$s
    from added, lateral (select distinct unnest(category_ids)) as c (category) group by category, %1$s;
  elsif tg_op = 'DELETE' then
    insert into pos_list_count (list, category_id, counted, %1$s)
    select 'product_in_category', category, -count(*), %1$s
    from taken, lateral (select distinct unnest(category_ids)) as c (category) group by category, %1$s;
  elsif tg_op = 'TRUNCATE' then delete from pos_list_count where list = 'product_in_category';
  end if;
  return null;
end $$;
create trigger product_categories_counted_in after insert on product referencing new table as added
  for each statement execute function product_counted_in_categories();
create trigger product_categories_counted_out after delete on product referencing old table as taken
  for each statement execute function product_counted_in_categories();
create trigger product_categories_counted_gone after truncate on product
  for each statement execute function product_counted_in_categories();
create function product_recounted_in_categories() returns trigger language plpgsql as $$
begin
  insert into pos_list_count (list, category_id, counted, %1$s)
  select distinct 'product_in_category', category, -1, %2$s from unnest(old.category_ids) as category
  union all
  select distinct 'product_in_category', category, 1, %3$s from unnest(new.category_ids) as category;
  return null;
end $$;
create trigger product_categories_recounted after update on product for each row
  when ((old.category_ids, %2$s) is distinct from (new.category_ids, %3$s))
  execute function product_recounted_in_categories();
$sql$, columns, 'old.' || replace(columns, ', ', ', old.'), 'new.' || replace(columns, ', ', ', new.'));
end $do$;
