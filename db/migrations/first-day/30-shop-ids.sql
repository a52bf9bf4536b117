-- A dry run of a shop file gives the ids back that it drew, while nobody else can draw one (db/shop/keep-ids.ts).
create function hold_shop_ids() returns void language plpgsql as $$
begin
  lock table inventory_stock, inventory_stock_source, config_value, tax_class, tax_rate, tax_rule, attribute_set,
    attribute_group, pos_role, pos_location, pos_terminal, pos_staff, pos_audit_log, content_renewal
    in share row exclusive mode nowait;
end $$;
