create sequence product_option_id;

-- The rules on one price in their order, each rounded (platform facts 9.3): the only place that works one out.
create function catalog_rule_price(price numeric, actions text[], amounts numeric[], stops boolean[], decimals integer)
returns numeric language plpgsql immutable strict parallel safe as $$
declare
  running numeric := price;
begin
  for at in 1 .. cardinality(actions) loop
    running := round(case actions[at]
      when 'to_fixed' then least(amounts[at], running)
      when 'to_percent' then running * amounts[at] / 100
      when 'by_fixed' then greatest(running - amounts[at], 0)
      else running * (1 - amounts[at] / 100) end, decimals);
    exit when stops[at];
  end loop;
  return running;
end $$;

-- Who is put down when a price, a rule or a place changes. Only ever added: nobody waits for a run, and what changes
-- while it is worked out is worked out again.
create function catalog_rule_product_due() returns trigger language plpgsql as $$
begin
  insert into catalog_rule_due (product_id) values (coalesce(new.entity_id, old.entity_id));
  return null;
end $$;
create trigger catalog_rule_of_product after insert or delete on product
  for each row execute function catalog_rule_product_due();

-- What conditions and prices read of a product.
create trigger catalog_rule_of_changed_product after update on product
  for each row when ((old.sku, old.name, old.price, old.type_id, old.attribute_set_id, old.website_ids,
    old.category_ids, old.custom_attributes, old.scoped_values) is distinct from (new.sku, new.name, new.price,
    new.type_id, new.attribute_set_id, new.website_ids, new.category_ids, new.custom_attributes, new.scoped_values))
  execute function catalog_rule_product_due();

create function catalog_rule_everything_due() returns trigger language plpgsql as $$
begin
  insert into catalog_rule_due (product_id) values (null);
  return null;
end $$;
create trigger catalog_rule_changed after insert or update or delete on catalog_rule
  for each row execute function catalog_rule_everything_due();
create trigger catalog_rule_of_group after insert or delete on customer_group
  for each row execute function catalog_rule_everything_due();
create trigger catalog_rule_of_website after update on website
  for each row when (old.base_currency_code <> new.base_currency_code)
  execute function catalog_rule_everything_due();

-- The row is locked until the change is committed: a version that is seen is one whose change is seen.
create function fixed_product_tax_changed() returns trigger language plpgsql as $$
begin
  insert into feed_version (feed, version) values ('fixed_product_tax', 2)
  on conflict (feed) do update set version = feed_version.version + 1;
  return null;
end $$;
create trigger fixed_product_tax_changed after insert or update or delete on fixed_product_tax
  for each row execute function fixed_product_tax_changed();
create trigger fixed_product_tax_of_sku after update of sku on product
  for each row when (old.sku is distinct from new.sku)
  execute function fixed_product_tax_changed();
