-- What every shop has from the start. Before the triggers, which would take it for changes.

-- Made once, where the database is made.
insert into installation (installation_id, installation_key)
values (1, left(replace(gen_random_uuid()::text, '-', ''), 8));

insert into website (website_id, code, name, base_currency_code) values (0, 'admin', 'Admin', 'USD');
insert into store_group (group_id, website_id, code, name) values (0, 0, 'admin', 'Admin');
insert into store_view (store_id, website_id, code, name, currency_code) values (0, 0, 'admin', 'Admin', 'USD');

-- Platform facts 8, 9.5.
insert into tax_class (class_id, class_name, class_type) values
  (2, 'Taxable Goods', 'PRODUCT'),
  (3, 'Retail Customer', 'CUSTOMER');
select setval('tax_class_class_id_seq', 3);

-- Platform facts 14: it is always there.
insert into inventory_source (source_code, name, country_id, postcode)
values ('default', 'Default Source', 'US', '00000');

insert into customer_group (id, code) values (0, 'NOT LOGGED IN'), (1, 'General'), (2, 'Wholesale'), (3, 'Retailer');
select setval('customer_group_id_seq', 3);

-- Platform facts 5.3.
insert into sales_order_status (status, label) values
  ('pending', 'Pending'),
  ('pending_payment', 'Pending Payment'),
  ('processing', 'Processing'),
  ('fraud', 'Suspected Fraud'),
  ('complete', 'Complete'),
  ('closed', 'Closed'),
  ('canceled', 'Canceled'),
  ('holded', 'On Hold'),
  ('payment_review', 'Payment Review');

-- Platform facts 5.3, the default of each state first.
insert into sales_order_status_state (status, state, is_default, is_visible_on_front) values
  ('pending', 'new', true, true),
  ('pending_payment', 'pending_payment', true, false),
  ('processing', 'processing', true, true),
  ('fraud', 'processing', false, true),
  ('complete', 'complete', true, true),
  ('closed', 'closed', true, true),
  ('canceled', 'canceled', true, true),
  ('holded', 'holded', true, true),
  ('payment_review', 'payment_review', true, true),
  ('fraud', 'payment_review', false, true);

-- The root of all categories, and the one whose children the first shop shows.
insert into category (entity_id, parent_id, path, level, position, name, created_at, updated_at) values
  (1, 0, '1', 0, 0, 'Root Catalog', '2026-11-23', '2026-11-23'),
  (2, 1, '1/2', 1, 1, 'Default Category', '2026-11-23', '2026-11-23');
select setval(pg_get_serial_sequence('category', 'entity_id'), 2);

-- The set that every shop has, with the ids that clients of the platform know. Below 9 are sets of other records.
insert into attribute_set (attribute_set_id, attribute_set_name, sort_order) values (4, 'Default', 1);
select setval(pg_get_serial_sequence('attribute_set', 'attribute_set_id'), 8);
insert into attribute_group
  (attribute_group_id, attribute_set_id, attribute_group_name, attribute_group_code, sort_order)
values
  (7, 4, 'Product Details', 'product-details', 10),
  (8, 4, 'Advanced Pricing', 'advanced-pricing', 40),
  (9, 4, 'Search Engine Optimization', 'search-engine-optimization', 30),
  (10, 4, 'Images', 'image-management', 20),
  (11, 4, 'Design', 'design', 50),
  (12, 4, 'Autosettings', 'autosettings', 60),
  (13, 4, 'Content', 'content', 15),
  (14, 4, 'Schedule Design Update', 'schedule-design-update', 55),
  (19, 4, 'Bundle Items', 'bundle-items', 16),
  (20, 4, 'Gift Options', 'gift-options', 61);
select setval(pg_get_serial_sequence('attribute_group', 'attribute_group_id'), 20);
insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code, sort_order)
select 4, of_group.id, attribute.code, attribute.place * 10
from (values
  (7, 'status name sku price weight tax_class_id quantity_and_stock_status category_ids visibility news_from_date '
    'news_to_date country_of_manufacture manufacturer color'),
  (8, 'special_price special_from_date special_to_date cost tier_price msrp'),
  (9, 'url_key meta_title meta_keyword meta_description'),
  (10, 'image small_image thumbnail swatch_image media_gallery'),
  (13, 'description short_description'),
  (20, 'gift_message_available')
) as of_group (id, codes), unnest(string_to_array(codes, ' ')) with ordinality as attribute (code, place)
order by of_group.id, attribute.place;

-- The first night of a new shop is owed a day after it was made.
insert into night_run (night) values ('check-books'), ('purge-leftovers'), ('roll-up-telemetry');
