-- Registers keep copies of customers: what is gone is in the list of changes, without a word of the person.
create function customer_is_removed() returns trigger language plpgsql as $$
begin
  insert into removed_customer (id, website_id, store_id, group_id, created_at)
  values (old.id, old.website_id, old.store_id, old.group_id, old.created_at)
  on conflict (id) do update set removed_at = now();
  return null;
end
$$;

create trigger customer_is_removed after delete on customer for each row execute function customer_is_removed();
