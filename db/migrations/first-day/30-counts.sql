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
-- a row whose counted columns change. Nobody waits for anybody: rows are only added. Counted are the lists below, each
-- by columns that have few values.
do $do$
declare
  one record;
  names text;
  grouped text;
begin
  for one in select * from (values
    ('sales_order', '{store_id, state, status}'::text[]),
    ('sales_order_item', '{}'),
    ('sales_invoice', '{store_id, state}'),
    ('sales_shipment', '{store_id}'),
    ('sales_creditmemo', '{store_id, state}'),
    ('sales_payment_transaction', '{}'),
    ('customer', '{website_id, store_id, group_id}'),
    ('product', '{type_id, attribute_set_id, visibility, status, tax_class_id, website_ids}'),
    ('inventory_source_item', '{source_code, status}'),
    ('sale_return', '{status}'),
    ('sales_coupon', '{}'),
    ('bulk_operation', '{status}')
  ) as list (name, columns)
  loop
    names := case cardinality(one.columns) when 0 then '' else ', ' || array_to_string(one.columns, ', ') end;
    grouped := case cardinality(one.columns) when 0 then '' else 'group by ' || array_to_string(one.columns, ', ') end;
    execute format($sql$
create function %1$s_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into pos_list_count (list%2$s, counted) select '%1$s'%2$s, count(*) from added %3$s having count(*) <> 0;
  elsif tg_op = 'DELETE' then
    insert into pos_list_count (list%2$s, counted) select '%1$s'%2$s, -count(*) from taken %3$s having count(*) <> 0;
  elsif tg_op = 'TRUNCATE' then delete from pos_list_count where list = '%1$s';
  end if;
  return null;
end $$;
create trigger %1$s_counted_in after insert on %1$s referencing new table as added
  for each statement execute function %1$s_counted();
create trigger %1$s_counted_out after delete on %1$s referencing old table as taken
  for each statement execute function %1$s_counted();
create trigger %1$s_counted_gone after truncate on %1$s for each statement execute function %1$s_counted();
$sql$, one.name, names, grouped);
    continue when names = '';
    execute format($sql$
create function %1$s_recounted() returns trigger language plpgsql as $$
begin
  insert into pos_list_count (list%2$s, counted) values ('%1$s', old.%3$s, -1), ('%1$s', new.%4$s, 1);
  return null;
end $$;
create trigger %1$s_recounted after update on %1$s for each row when (%5$s) execute function %1$s_recounted();
$sql$, one.name, names, array_to_string(one.columns, ', old.'), array_to_string(one.columns, ', new.'), (
      select string_agg(format('old.%1$s is distinct from new.%1$s', name), ' or ' order by at)
      from unnest(one.columns) with ordinality as listed (name, at)
    ));
  end loop;
end $do$;
