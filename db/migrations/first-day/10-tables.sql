create table "access_token" ("token_id" bigserial primary key, "digest" varchar(64) not null, "user_type" text not null, "user_id" bigint not null, "created_at" timestamptz(6) not null default now(), "expires_at" timestamptz(6) null, "revoked_at" timestamptz(6) null, "last_used_at" timestamptz(6) null, "consumer_key" varchar(32) null, "sealed_secrets" text null);
alter table "access_token" add constraint "access_token_digest_unique" unique ("digest");
alter table "access_token" add constraint "access_token_consumer_key_unique" unique ("consumer_key");
create index "access_token_user_type_user_id_index" on "access_token" ("user_type", "user_id");
alter table "access_token" add constraint "access_token_signs_with_secrets" check ((consumer_key is null) = (sealed_secrets is null));
alter table "access_token" add constraint "access_token_user_type_check" check ("user_type" in ('integration', 'admin', 'customer'));

create table "admin_user" ("user_id" bigserial primary key, "username" varchar(40) not null, "first_name" varchar(64) not null, "last_name" varchar(64) not null, "email" varchar(128) not null, "password_hash" varchar(255) not null, "is_active" boolean not null default true, "resources" jsonb null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "admin_user" add constraint "admin_user_username_unique" unique ("username");
alter table "admin_user" add constraint "admin_user_email_unique" unique ("email");

create table "attribute_set" ("attribute_set_id" bigserial primary key, "attribute_set_name" varchar(255) not null, "sort_order" int not null default 0);
alter table "attribute_set" add constraint "attribute_set_attribute_set_name_unique" unique ("attribute_set_name");

create table "attribute_group" ("attribute_group_id" bigserial primary key, "attribute_set_id" bigint not null, "attribute_group_name" varchar(255) not null, "attribute_group_code" varchar(255) not null, "sort_order" int not null default 0);
alter table "attribute_group" add constraint "attribute_group_name_once" unique ("attribute_set_id", "attribute_group_name");
alter table "attribute_group" add constraint "attribute_group_code_once" unique ("attribute_set_id", "attribute_group_code");

create table "attribute_in_set" ("entity_attribute_id" bigserial primary key, "attribute_set_id" bigint not null, "attribute_group_id" bigint not null, "attribute_code" varchar(60) not null, "sort_order" int not null default 0);
create index "attribute_in_set_attribute_group_id_index" on "attribute_in_set" ("attribute_group_id");
create index "attribute_in_set_attribute_code_index" on "attribute_in_set" ("attribute_code");
alter table "attribute_in_set" add constraint "attribute_in_set_once" unique ("attribute_set_id", "attribute_code");

create table "pos_audit_log" ("log_id" bigserial primary key, "entity_type" varchar(64) not null, "entity_id" varchar(64) not null, "entity_name" varchar(255) null, "field_name" varchar(128) not null, "old_value" text null, "new_value" text null, "change_source" text not null default 'pos_terminal', "staff_id" bigint null, "terminal_id" bigint null, "location_id" bigint null, "staff_name" varchar(255) null, "terminal_name" varchar(255) null, "location_name" varchar(255) null, "created_at" timestamptz(6) not null default now());
create index "pos_audit_log_change_source_index" on "pos_audit_log" ("change_source");
create index "pos_audit_log_created_at_index" on "pos_audit_log" ("created_at");
create index "pos_audit_log_entity_type_text" on "pos_audit_log" (lower("entity_type"), log_id);
create index "pos_audit_log_entity_id_index" on "pos_audit_log" ("entity_id");
create index "pos_audit_log_staff_id_log_id_index" on "pos_audit_log" ("staff_id", "log_id");
create index "pos_audit_log_terminal_id_log_id_index" on "pos_audit_log" ("terminal_id", "log_id");
create index "pos_audit_log_location_id_log_id_index" on "pos_audit_log" ("location_id", "log_id");
alter table "pos_audit_log" add constraint "pos_audit_log_change_source_check" check ("change_source" in ('pos_terminal', 'admin', 'api'));

create table "pos_audit_log_count" ("count_id" bigserial primary key, "grain" text not null, "size" text not null, "bucket" timestamptz(6) not null, "counted" bigint not null, "least_key" bigint not null, "greatest_key" bigint not null, "staff_id" bigint null, "terminal_id" bigint null, "location_id" bigint null, "entity_type" varchar(64) null, "change_source" text null);
create unique index "pos_audit_log_count_once" on "pos_audit_log_count" (grain, size, staff_id, terminal_id, location_id, bucket, entity_type, change_source) nulls not distinct;

create table "books_check" ("check_id" bigserial primary key, "checked_at" timestamptz(6) not null default now(), "checked_by" varchar(255) not null, "run_key" varchar(64) null, "rules" int not null, "findings" jsonb not null);
create index "books_check_checked_at_index" on "books_check" ("checked_at");
alter table "books_check" add constraint "books_check_run_key_unique" unique ("run_key");

create table "bulk" ("bulk_id" bigserial primary key, "bulk_uuid" varchar(36) not null, "user_type" text not null, "user_id" bigint not null, "route" varchar(255) not null, "store_id" bigint not null, "website_id" bigint not null, "store_code" varchar(32) not null, "operations" int not null, "complete" int not null default 0, "failed" int not null default 0, "rejected" int not null default 0, "started_at" timestamptz(6) not null default now(), "finished_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "bulk" add constraint "bulk_bulk_uuid_unique" unique ("bulk_uuid");
create index "bulk_open" on "bulk" ("updated_at") where "finished_at" is null;
create index "bulk_finished" on "bulk" ("finished_at");
alter table "bulk" add constraint "bulk_counts" check (operations > 0 and complete >= 0 and failed >= 0 and rejected >= 0);
alter table "bulk" add constraint "bulk_user_type_check" check ("user_type" in ('integration', 'admin'));

create table "bulk_operation" ("operation_id" bigserial primary key, "bulk_id" bigint not null, "operation_key" int not null, "status" int not null default 4, "sources" jsonb null, "result_message" text null, "error_code" int null, "result" text null, "started_at" timestamptz(6) not null default now());
create index "bulk_operation_open" on "bulk_operation" ("bulk_id", "operation_key") where status = 4;
create index "bulk_operation_status_operation_id_index" on "bulk_operation" ("status", "operation_id");
create index "bulk_operation_errors" on "bulk_operation" ("error_code") where error_code is not null;
create index "bulk_operation_started_at_index" on "bulk_operation" ("started_at");
alter table "bulk_operation" add constraint "bulk_operation_once" unique ("bulk_id", "operation_key");
alter table "bulk_operation" add constraint "bulk_operation_status" check (status >= 1 and status <= 5);

create table "catalog_rule" ("rule_id" bigserial primary key, "name" varchar(255) not null, "is_active" boolean not null default true, "website_ids" text[] null, "customer_group_ids" text[] null, "from_date" date null, "to_date" date null, "aggregator" text not null default 'all', "conditions" jsonb not null default '[]', "simple_action" text not null, "discount_amount" numeric(20,4) not null, "sort_order" int not null default 0, "stop_rules_processing" boolean not null default false, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "catalog_rule" add constraint "catalog_rule_prices" check (discount_amount >= 0 and discount_amount <> 'NaN' and (simple_action = 'by_fixed' or simple_action = 'to_fixed' or discount_amount <= 100));
alter table "catalog_rule" add constraint "catalog_rule_days" check (from_date <= to_date);
alter table "catalog_rule" add constraint "catalog_rule_aggregator_check" check ("aggregator" in ('all', 'any'));
alter table "catalog_rule" add constraint "catalog_rule_simple_action_check" check ("simple_action" in ('by_percent', 'by_fixed', 'to_percent', 'to_fixed'));

create table "catalog_rule_due" ("due_id" bigserial primary key, "product_id" bigint null);

create table "catalog_rule_index" ("website_id" bigserial primary key, "day" date not null, "indexed_at" timestamptz(3) null);

create table "catalog_rule_price" ("product_id" bigint not null, "website_id" bigint not null, "rule_date" date not null, "customer_group_id" bigint not null, "rule_price" numeric(20,4) not null, primary key ("product_id", "website_id", "rule_date", "customer_group_id"));
create index "catalog_rule_price_feed" on "catalog_rule_price" (website_id, rule_date, product_id, customer_group_id) include (rule_price);

create table "category" ("entity_id" bigserial primary key, "parent_id" bigint not null, "path" varchar(255) not null, "level" int not null, "position" int not null, "name" varchar(255) not null, "is_active" boolean not null default true, "include_in_menu" boolean not null default true, "available_sort_by" text[] not null default '{}', "custom_attributes" jsonb not null default '{}', "view_words" jsonb not null default '{}', "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "category_parent_id_index" on "category" ("parent_id");
alter table "category" add constraint "category_path_unique" unique ("path");
create index "category_level_index" on "category" ("level");
create index "category_created_at_index" on "category" ("created_at");
create index "category_updated_at_index" on "category" ("updated_at");
create index "category_name_text" on "category" (lower("name"));
create index "category_url_key_text" on "category" (lower("custom_attributes" ->> 'url_key'));
create index "category_available_sort_by_set" on "category" using gin ("available_sort_by");
alter table "category" add constraint "category_level_of_its_path" check (level = length(path) - length(replace(path, '/', '')));

create table "pos_closing" ("closing_id" bigserial primary key, "drawer_id" bigint not null, "number" int not null, "session_id" bigint not null, "replaces" int null, "is_forced" boolean not null default false, "location_id" bigint not null, "terminal_id" bigint not null, "business_day" date not null, "document" text not null, "previous_hash" varchar(64) null, "hash" varchar(64) not null, "has_difference" boolean not null default false, "closed_at" timestamptz(6) not null);
create index "pos_closing_session_id_index" on "pos_closing" ("session_id");
create index "pos_closing_day" on "pos_closing" ("business_day", "location_id");
alter table "pos_closing" add constraint "pos_closing_number" unique ("drawer_id", "number");

create table "pos_closing_approval" ("approval_id" bigserial primary key, "session_id" bigint not null, "count_id" bigint not null, "closed_by" bigint null, "approved_by" varchar(64) null, "approved_name" varchar(255) null, "approved_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now());
create index "pos_closing_approval_session_id_index" on "pos_closing_approval" ("session_id");
alter table "pos_closing_approval" add constraint "pos_closing_approval_count_id_unique" unique ("count_id");
create index "pos_closing_approval_open" on "pos_closing_approval" ("created_at") where approved_at is null;

create table "config_value" ("config_id" bigserial primary key, "scope" text not null default 'default', "scope_id" bigint not null default '0', "path" varchar(255) not null, "value" text null, "is_encrypted" boolean not null default false);
alter table "config_value" add constraint "config_value_once_per_scope" unique ("path", "scope", "scope_id");
alter table "config_value" add constraint "config_value_scope_check" check ("scope" in ('default', 'websites', 'stores'));

create table "pos_config_version" ("scope" text not null, "scope_id" bigint not null, "version" bigint not null default '1', primary key ("scope", "scope_id"));
alter table "pos_config_version" add constraint "pos_config_version_scope_check" check ("scope" in ('global', 'website', 'location', 'terminal'));

create table "content_renewal" ("renewal_id" bigserial primary key, "identifier" varchar(100) not null, "is_removal" boolean not null, "places" int not null, "rendered" int not null default 0, "failed" int not null default 0, "rendered_up_to" bigint not null default '0', "until" bigint not null default '0', "failures" jsonb not null default '[]', "started_at" timestamptz(6) not null default now(), "finished_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "content_renewal" add constraint "content_renewal_identifier_unique" unique ("identifier");
create index "content_renewal_open" on "content_renewal" ("updated_at") where "finished_at" is null;
create index "content_renewal_finished" on "content_renewal" ("finished_at");
alter table "content_renewal" add constraint "content_renewal_counts" check (rendered >= 0 and failed >= 0 and places >= 0);

create table "content_revision" ("revision_id" bigserial primary key, "revision" bigint not null default '1', "counted_in" bigint not null default '0');
alter table "content_revision" add constraint "content_revision_one_row" check (revision_id = 1);

create table "ops_credential_gift" ("gift_id" bigserial primary key, "user_kind" text not null, "user_id" bigint not null, "what" text not null, "given_by" varchar(64) not null, "given_at" timestamptz(6) not null default now());
create index "ops_credential_gift_given_at_index" on "ops_credential_gift" ("given_at");
alter table "ops_credential_gift" add constraint "ops_credential_gift_user_kind_check" check ("user_kind" in ('admin', 'staff'));
alter table "ops_credential_gift" add constraint "ops_credential_gift_what_check" check ("what" in ('passcode', 'second_factor'));

create table "customer_group" ("id" bigserial primary key, "code" varchar(32) not null, "tax_class_id" bigint not null default '3', "exclude_website_ids" jsonb not null default '[]');
create unique index "customer_group_code_once" on "customer_group" (lower("code"));

create table "sales_document_comment" ("entity_id" bigserial primary key, "document" text not null, "parent_id" bigint not null, "comment" text not null, "is_customer_notified" int not null default 0, "is_visible_on_front" int not null default 0, "created_at" timestamptz(6) not null default now());
create index "sales_document_comment_document_parent_id_index" on "sales_document_comment" ("document", "parent_id");
alter table "sales_document_comment" add constraint "sales_document_comment_document_check" check ("document" in ('invoice', 'creditmemo', 'shipment'));

create table "pos_drawer" ("drawer_id" bigserial primary key, "terminal_id" bigint null, "location_id" bigint not null, "name" varchar(255) not null, "last_number" int not null default 0, "last_hash" varchar(64) null, "created_at" timestamptz(6) not null default now());
alter table "pos_drawer" add constraint "pos_drawer_terminal_id_unique" unique ("terminal_id");
create index "pos_drawer_location_id_index" on "pos_drawer" ("location_id");

create table "pos_event" ("event_id" bigserial primary key, "sequence" bigint null, "type" text not null, "version" smallint not null default 1, "object_kind" text not null, "object_id" varchar(64) not null, "facts" jsonb not null default '{}', "occurred_at" timestamptz(6) not null default clock_timestamp());
create index "pos_event_without_place" on "pos_event" ("event_id") where sequence is null;
create index "pos_event_of_type" on "pos_event" ("type", "sequence") where sequence is not null;
create unique index "pos_event_place" on "pos_event" ("sequence") where sequence is not null;
alter table "pos_event" add constraint "pos_event_type_check" check ("type" in ('order.placed', 'order.paid', 'order.refunded', 'order.cancelled', 'return.created', 'return.received', 'return.settled', 'return.closed', 'return.refused', 'refund.uncertain', 'refund.decided', 'layaway.opened', 'layaway.paid', 'layaway.stale', 'layaway.cancelled', 'layaway.settled', 'credit.changed', 'receipt.synced', 'receipt.claimed', 'stock.moved', 'customer.changed', 'terminal.activated', 'terminal.revoked', 'register_session.closed', 'register_session.difference', 'product.changed', 'content.published', 'endpoint.paused', 'endpoint.ping'));
alter table "pos_event" add constraint "pos_event_object_kind_check" check ("object_kind" in ('order', 'return', 'refund', 'store_credit', 'gift_card', 'reward_points', 'receipt', 'stock', 'customer', 'terminal', 'register_session', 'product', 'content', 'endpoint'));

create table "feed_version" ("feed" varchar(64) not null, "version" bigint not null default '1', primary key ("feed"));

create table "pos_growing_count" ("counted_table" varchar(63) not null, "up_to" bigint not null, primary key ("counted_table"));

create table "installation" ("installation_id" bigserial primary key, "installation_key" varchar(16) not null, "generation" int not null default 1, "restored_at" timestamptz(6) null, "home" varchar(64) null, "created_at" timestamptz(6) not null default now());
alter table "installation" add constraint "installation_one_row" check (installation_id = 1);

create table "integration" ("integration_id" bigserial primary key, "name" varchar(255) not null, "is_active" boolean not null default true, "resources" jsonb not null default '[]', "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "integration" add constraint "integration_name_unique" unique ("name");

create table "keyed_request" ("digest" varchar(64) not null, "fingerprint" varchar(64) not null, "caller_type" varchar(16) not null, "caller_id" bigint not null, "route" varchar(255) not null, "request_id" varchar(64) not null, "operation_key" uuid not null default gen_random_uuid(), "state" text not null, "owner" uuid null, "lease_until" timestamptz(6) null, "made_id" bigint null, "status" smallint null, "answer" text null, "is_sealed" boolean not null default false, "created_at" timestamptz(6) not null default now(), "answered_at" timestamptz(6) null, primary key ("digest"));
create index "keyed_request_created_at_index" on "keyed_request" ("created_at");
alter table "keyed_request" add constraint "keyed_request_is_open_or_done" check (case state when 'open' then owner is not null and lease_until is not null and status is null
        else owner is null and lease_until is null and status is not null and answered_at is not null end);
alter table "keyed_request" add constraint "keyed_request_status_is_final" check (status = 200 or (status >= 400 and status < 500));
alter table "keyed_request" add constraint "keyed_request_answer_is_bounded" check (octet_length(answer) <= 2097152);
alter table "keyed_request" add constraint "keyed_request_state_check" check ("state" in ('open', 'done'));

create table "pos_license" ("license_id" bigserial primary key, "license_key" varchar(128) null, "license_type" text not null, "license_status" text not null default 'active', "sealed_token" text null, "expires_at" timestamptz(6) null, "fiscal_tss_id" varchar(128) null, "sealed_fiscal_api_key" text null, "last_upstream_check_at" timestamptz(6) null, "last_upstream_check_succeeded" boolean null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "pos_license" add constraint "pos_license_license_key_unique" unique ("license_key");
alter table "pos_license" add constraint "pos_license_license_type_check" check ("license_type" in ('free', 'pro'));
alter table "pos_license" add constraint "pos_license_license_status_check" check ("license_status" in ('active', 'expired', 'revoked'));

create table "pos_list_count" ("list_count_id" bigserial primary key, "list" varchar(63) not null, "size" varchar(5) not null default 'new', "kind" varchar(32) null, "day" date null, "least_key" bigint null, "website_id" bigint null, "store_id" bigint null, "group_id" bigint null, "attribute_set_id" bigint null, "tax_class_id" bigint null, "visibility" int null, "type_id" text null, "website_ids" text[] null, "source_code" text null, "state" text null, "status" text null, "pos_layaway_status" text null, "gender" int null, "created_in" text null, "rule_id" bigint null, "is_generated" boolean null, "country_id" text null, "category_id" text null, "counted" bigint not null);
create index "pos_list_count_list_size_day_index" on "pos_list_count" ("list", "size", "day");
create unique index "pos_list_count_sum_once" on "pos_list_count" (list, size, day, kind) nulls not distinct where size <> 'new';

create table "pos_location" ("location_id" bigserial primary key, "name" varchar(255) not null, "code" varchar(64) not null, "street" varchar(255) null, "city" varchar(255) null, "region" varchar(255) null, "postcode" varchar(255) null, "phone" varchar(255) null, "vat_number" varchar(255) null, "card_payment_provider" varchar(255) null, "pickup_completed_status_code" varchar(255) null, "receipt_store_info_placement" varchar(255) null, "region_id" bigint null, "country_id" varchar(2) null, "website_id" bigint not null default '0', "store_view_id" bigint null, "source_code" varchar(64) null, "damaged_stock_source_code" varchar(64) null, "is_active" boolean not null default true, "time_zone" varchar(64) null, "payment_methods" text null, "allow_store_credit" int null, "low_stock_threshold" int null, "receipt_logo_size" int null, "layaway_expiry_days" int null, "layaway_deposit_min_percent" numeric(7,4) null, "layaway_cancellation_fee_percent" numeric(7,4) null, "tax_use_address" boolean not null default false, "address_use_storeview" boolean not null default false, "use_msi" boolean null, "receipt_header" text null, "receipt_footer" text null, "receipt_show_staff_name" boolean null, "receipt_show_order_number" boolean null, "staff_name_format" varchar(32) null, "customer_validators" text null, "config_overrides" jsonb not null default '{}', "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "pos_location" add constraint "pos_location_code_unique" unique ("code");
create index "pos_location_website_id_index" on "pos_location" ("website_id");

create table "pos_held_cart" ("held_cart_id" bigserial primary key, "location_id" bigint not null, "item_count" int null, "staff_id" bigint null, "terminal_id" bigint null, "recalled_by_staff_id" bigint null, "staff_name" varchar(255) null, "cart_uuid" varchar(100) not null, "cart_key" varchar(100) generated always as (coalesce(substring(lower(replace(cart_uuid, '-', '')), '^(?:urn:uuid:)?[{]?([0-9a-f]{32})[}]?$'), cart_uuid)) stored null, "cart_data" text not null, "customer_name" varchar(255) null, "grand_total" numeric(20,4) null, "currency_code" varchar(3) null, "hold_comment" text null, "recalled_at" timestamptz(6) null, "recalled_by_caller" varchar(32) null, "recalled_at_terminal_id" bigint null, "parked_by_caller" varchar(32) null, "parked_at" timestamptz(6) not null default now(), "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "pos_held_cart" add constraint "pos_held_cart_cart_key_unique" unique ("cart_key");
create index "pos_held_cart_newest_first" on "pos_held_cart" ("location_id", "held_cart_id");
alter table "pos_held_cart" add constraint "pos_held_cart_item_count_not_negative" check (item_count >= 0);
alter table "pos_held_cart" add constraint "pos_held_cart_claim_is_whole" check ((recalled_at is null) = (recalled_by_staff_id is null));
alter table "pos_held_cart" add constraint "pos_held_cart_free_without_claim" check (recalled_at is not null or (recalled_by_caller is null and recalled_at_terminal_id is null));

create table "pos_movement" ("movement_id" bigserial primary key, "source" text not null, "source_id" bigint not null, "line" int not null default 0, "kind" text not null, "tender" text not null, "amount" numeric(20,4) not null, "currency" text not null, "location_id" bigint null, "terminal_id" bigint null, "register_session_uuid" text null, "session_id" bigint null, "is_late" boolean not null default false, "closing_id" bigint null, "staff_id" bigint null, "order_id" bigint null, "credit_memo_id" bigint null, "receipt_id" bigint null, "is_tender_stated" boolean not null default true, "occurred_at" timestamptz(6) not null, "business_day" date not null);
create index "pos_movement_session" on "pos_movement" ("session_id") where session_id is not null;
create index "pos_movement_late" on "pos_movement" ("session_id") where is_late;
create index "pos_movement_claimed" on "pos_movement" ("register_session_uuid") where session_id is null and register_session_uuid is not null;
create index "pos_movement_by_day" on "pos_movement" ("business_day") include ("location_id", "kind", "tender", "currency", "amount", "occurred_at");
create index "pos_movement_of_order" on "pos_movement" ("order_id") where order_id is not null;
create index "pos_movement_of_memo" on "pos_movement" ("credit_memo_id") where credit_memo_id is not null;
create index "pos_movement_of_receipt" on "pos_movement" ("receipt_id") where receipt_id is not null;
alter table "pos_movement" add constraint "pos_movement_once" unique ("source", "source_id", "line");
alter table "pos_movement" add constraint "pos_movement_source_check" check ("source" in ('receipt', 'money_in', 'memo', 'cancellation', 'incident', 'order_credit', 'credit_return', 'credit_refund', 'wallet_entry', 'card_entry', 'session_movement'));
alter table "pos_movement" add constraint "pos_movement_kind_check" check ("kind" in ('sale', 'deposit', 'payment', 'refund', 'credit_redeemed', 'credit_issued', 'credit_given', 'cash_in', 'cash_out', 'drop'));

create table "pos_movement_place" ("place_key" varchar(128) not null, "terminal_id" bigint null, "register_session_uuid" text null, "created_at" timestamptz(6) not null default now(), primary key ("place_key"));
create index "pos_movement_place_created_at_index" on "pos_movement_place" ("created_at");

create table "night_run" ("night" varchar(40) not null, "worked_at" timestamptz(6) not null default now(), "ended_at" timestamptz(6) not null default now(), primary key ("night"));

create table "oauth_nonce" ("token_id" bigint not null, "nonce" varchar(255) not null, "expires_at" timestamptz(6) not null, primary key ("token_id", "nonce"));
create index "oauth_nonce_expires_at_index" on "oauth_nonce" ("expires_at");

create table "ops_session" ("session_id" bigserial primary key, "digest" varchar(64) not null, "user_kind" text not null, "user_id" bigint not null, "is_enrolling" boolean not null default false, "key_shown_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "seen_at" timestamptz(6) not null default now(), "ends_at" timestamptz(6) not null);
alter table "ops_session" add constraint "ops_session_digest_unique" unique ("digest");
create index "ops_session_ends_at_index" on "ops_session" ("ends_at");
create index "ops_session_user_kind_user_id_index" on "ops_session" ("user_kind", "user_id");
alter table "ops_session" add constraint "ops_session_user_kind_check" check ("user_kind" in ('admin', 'staff'));

create table "sales_order_status" ("status" varchar(32) not null, "label" varchar(128) not null, primary key ("status"));

create table "sales_order_status_state" ("status" varchar(32) not null, "state" text not null, "is_default" boolean not null default false, "is_visible_on_front" boolean not null default true, primary key ("status", "state"));
create unique index "sales_order_status_state_one_default" on "sales_order_status_state" ("state") where is_default;
alter table "sales_order_status_state" add constraint "sales_order_status_state_state_check" check ("state" in ('new', 'pending_payment', 'processing', 'complete', 'closed', 'canceled', 'holded', 'payment_review'));

create table "product" ("entity_id" bigserial primary key, "sku" varchar(64) not null, "name" varchar(255) not null, "attribute_set_id" bigint not null default 4, "price" numeric(20,4) not null, "status" int not null default 1, "visibility" int not null default 4, "type_id" text not null default 'simple', "weight" numeric(14,4) null, "tax_class_id" bigint not null default '2', "website_ids" text[] not null default '{}', "category_ids" text[] not null default '{}', "tier_prices" jsonb not null default '[]', "custom_attributes" jsonb not null default '{}', "scoped_values" jsonb not null default '{}', "extension_attributes" jsonb not null default '{}', "options" jsonb not null default '[]', "product_links" jsonb not null default '[]', "media_gallery_entries" jsonb not null default '[]', "manage_stock" boolean not null default true, "is_qty_decimal" boolean not null default false, "backorders" int null, "min_sale_qty" numeric(14,4) null, "max_sale_qty" numeric(14,4) null, "enable_qty_increments" boolean null, "qty_increments" numeric(14,4) null, "min_qty" numeric(14,4) null default 0, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "product" add constraint "product_sku_unique" unique ("sku");
create index "product_created_at_index" on "product" ("created_at");
create index "product_updated_at_index" on "product" ("updated_at");
create index "product_price_index" on "product" ("price");
create index "product_status_entity_id_index" on "product" ("status", "entity_id");
create index "product_type_id_entity_id_index" on "product" ("type_id", "entity_id");
create index "product_visibility_entity_id_index" on "product" ("visibility", "entity_id");
create index "product_tax_class_id_entity_id_index" on "product" ("tax_class_id", "entity_id");
create index "product_attribute_set_id_entity_id_index" on "product" ("attribute_set_id", "entity_id");
create index "product_weight_plain" on "product" ("weight" nulls first);
create index "product_sku_text" on "product" (lower("sku"));
create index "product_name_text" on "product" (lower("name"));
create index "product_barcode_text" on "product" (lower("custom_attributes" ->> 'barcode') nulls first);
create index "product_url_key_text" on "product" (lower("custom_attributes" ->> 'url_key') nulls first);
create index "product_is_returnable_text" on "product" (lower("custom_attributes" ->> 'is_returnable') nulls first);
create index "product_special_price_plain" on "product" ((case when (custom_attributes ->> 'special_price') ~ '^[0-9]{1,30}([.][0-9]{1,30}){0,1}$' then (custom_attributes ->> 'special_price')::numeric end) nulls first);
create index "product_cost_plain" on "product" ((case when (custom_attributes ->> 'cost') ~ '^[0-9]{1,30}([.][0-9]{1,30}){0,1}$' then (custom_attributes ->> 'cost')::numeric end) nulls first);
create index "product_sku_part" on "product" using gin (("sku") gin_trgm_ops);
create index "product_name_part" on "product" using gin (("name") gin_trgm_ops);
create index "product_website_ids_set" on "product" using gin ("website_ids");
create index "product_category_ids_set" on "product" using gin ("category_ids");
create index "product_attribute_values" on "product" using gin (attribute_values(custom_attributes));
create index "product_scoped_values_set" on "product" using gin ("scoped_values");
create index "product_product_links_set" on "product" using gin ("product_links");
create unique index "product_sku_once" on "product" (lower(normalize("sku")));
alter table "product" add constraint "product_price_not_negative" check (price >= 0 and price <> 'NaN');
alter table "product" add constraint "product_sale_rules_not_negative" check (backorders >= 0 and backorders <= 2 and min_sale_qty >= 0 and max_sale_qty >= 0 and qty_increments >= 0);
alter table "product" add constraint "product_type_id_check" check ("type_id" in ('simple', 'virtual', 'configurable', 'bundle', 'grouped', 'downloadable'));

create table "fixed_product_tax" ("value_id" bigserial primary key, "product_id" bigint not null, "attribute_code" varchar(64) not null, "website_id" bigint not null default '0', "country_id" varchar(2) not null, "region_id" bigint not null default '0', "value" numeric(20,4) not null);
create index "fixed_product_tax_product_id_index" on "fixed_product_tax" ("product_id");
alter table "fixed_product_tax" add constraint "fixed_product_tax_once_per_place" unique ("product_id", "attribute_code", "website_id", "country_id", "region_id");

create table "content_item" ("content_id" bigserial primary key, "kind" text not null, "identifier" varchar(100) not null, "store_id" bigint not null default '0', "product_id" bigint null, "category_id" bigint null, "is_active" boolean not null default true, "liveview" boolean not null default false, "title" varchar(255) not null, "content" text not null default '', "css" text not null default '', "fields" jsonb not null default '{}', "draft_number" int not null default 1, "published_number" int null, "revision" int not null default 1, "changed_by" varchar(255) not null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "content_item_product_id_index" on "content_item" ("product_id");
create index "content_item_category_id_index" on "content_item" ("category_id");
create unique index "content_item_one_per_view" on "content_item"
        ("kind", "identifier", "store_id", "product_id", "category_id") nulls not distinct;
create index "content_item_of_kind" on "content_item" ("kind", "content_id");
create index "content_item_identifier_text" on "content_item" (lower("identifier"), kind);
create index "content_item_title_text" on "content_item" (lower("title"), kind);
create index "content_item_created_at_index" on "content_item" ("created_at");
create index "content_item_updated_at_index" on "content_item" ("updated_at");
create index "content_item_identifier_part" on "content_item" using gin (("identifier") gin_trgm_ops);
create index "content_item_title_part" on "content_item" using gin (("title") gin_trgm_ops);
alter table "content_item" add constraint "content_item_belongs_where_its_kind_says" check ((product_id is not null) = (kind = 'product_attribute')
        and (category_id is not null) = (kind = 'category_attribute'));
alter table "content_item" add constraint "content_item_shows_a_version_it_has" check (published_number is null or (published_number >= 1 and published_number <= draft_number));
alter table "content_item" add constraint "content_item_kind_check" check ("kind" in ('page', 'block', 'product_attribute', 'category_attribute', 'template', 'snippet'));

create table "content_version" ("content_id" bigint not null, "number" int not null, "title" varchar(255) not null, "content" text not null, "css" text not null, "fields" jsonb not null default '{}', "author" varchar(255) not null, "repeats" int null, "published_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), primary key ("content_id", "number"));
alter table "content_version" add constraint "content_version_counts_from_one" check (number > 0);

create table "content_schedule" ("schedule_id" bigserial primary key, "content_id" bigint not null, "action" text not null, "number" int null, "due_at" timestamptz(6) not null, "state" text not null default 'pending', "author" varchar(255) not null, "refusal" text null, "ended_at" timestamptz(6) null, "followed_at" timestamptz(6) null, "revision" int not null default 1, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "content_schedule_content_id_index" on "content_schedule" ("content_id");
create index "content_schedule_pending" on "content_schedule" ("due_at") where "state" = 'pending';
create index "content_schedule_due_at_index" on "content_schedule" ("due_at");
create index "content_schedule_created_at_index" on "content_schedule" ("created_at");
create index "content_schedule_updated_at_index" on "content_schedule" ("updated_at");
create unique index "content_schedule_once" on "content_schedule" ("content_id", "action", "due_at") where "state" = 'pending';
alter table "content_schedule" add constraint "content_schedule_ended_or_pending" check ((state = 'pending') = (ended_at is null));
alter table "content_schedule" add constraint "content_schedule_version_to_publish" check (number is null or action = 'publish');
alter table "content_schedule" add constraint "content_schedule_action_check" check ("action" in ('publish', 'unpublish'));
alter table "content_schedule" add constraint "content_schedule_state_check" check ("state" in ('pending', 'done', 'failed', 'cancelled'));

create table "content_publication" ("content_id" bigint not null, "number" int not null, "title" varchar(255) not null, "content" text not null, "fields" jsonb not null default '{}', "html" text not null, "css" text not null, "uses" text[] not null default '{}', "published_by" varchar(255) not null, "published_at" timestamptz(6) not null default now(), primary key ("content_id"));
create index "content_publication_uses_set" on "content_publication" using gin ("uses");

create table "content_view_text" ("content_id" bigint not null, "store_id" bigint not null, "html" text not null, "css" text not null, primary key ("content_id", "store_id"));

create table "product_attribute" ("attribute_id" bigserial primary key, "attribute_code" varchar(60) not null, "frontend_input" varchar(20) not null default 'text', "label" varchar(255) null, "store_labels" jsonb not null default '[]', "scope" text not null default 'global', "is_required" boolean not null default false, "is_unique" boolean not null default false, "settings" jsonb not null default '{}');
alter table "product_attribute" add constraint "product_attribute_attribute_code_unique" unique ("attribute_code");
alter table "product_attribute" add constraint "product_attribute_scope_check" check ("scope" in ('global', 'website', 'store'));

create table "product_attribute_option" ("option_id" bigserial primary key, "attribute_id" bigint not null, "label" varchar(255) not null, "store_labels" jsonb not null default '[]', "sort_order" int not null default 0);
alter table "product_attribute_option" add constraint "product_attribute_option_label_once" unique ("attribute_id", "label");

create table "product_picture" ("picture_id" bigserial primary key, "product_id" bigint not null, "file" varchar(255) not null, "mime_type" varchar(32) not null, "content" bytea not null, "created_at" timestamptz(6) not null default now());
create index "product_picture_product_id_index" on "product_picture" ("product_id");
alter table "product_picture" add constraint "product_picture_file_unique" unique ("file");

create table "rate_limit" ("bucket" varchar(64) not null, "attempts" int not null, "window_ends_at" timestamptz(6) not null, primary key ("bucket"));
create index "rate_limit_window_ends_at_index" on "rate_limit" ("window_ends_at");

create table "pos_receipt_count" ("count_id" bigserial primary key, "grain" text not null, "size" text not null, "bucket" timestamptz(6) not null, "counted" bigint not null, "least_key" bigint not null, "greatest_key" bigint not null, "terminal_id" bigint null, "location_id" bigint null, "sale_type" text null);
create unique index "pos_receipt_count_once" on "pos_receipt_count" (grain, size, terminal_id, location_id, bucket, sale_type) nulls not distinct;

create table "pos_receipt_logo" ("digest" varchar(64) not null, "content" bytea not null, "width" int not null, "height" int not null, "created_at" timestamptz(6) not null default now(), primary key ("digest"));

create table "pos_register_report" ("report_id" bigserial primary key, "revision" bigint not null, "session_id" varchar(64) not null, "number" bigint not null, "schema_version" int not null, "terminal_id" bigint not null, "location_id" bigint not null, "staff_id" bigint null, "staff_name" varchar(255) null, "opened_at" timestamptz(6) not null, "closed_at" timestamptz(6) not null, "currency_code" varchar(3) not null, "document" text not null, "document_hash" varchar(64) not null, "content_hash" varchar(64) not null, "document_bytes" int not null, "conflict" boolean not null default false, "received_at" timestamptz(6) not null default now());
alter table "pos_register_report" add constraint "pos_register_report_revision_unique" unique ("revision");
create index "pos_register_report_of_terminal" on "pos_register_report" ("terminal_id", "report_id");
create index "pos_register_report_of_location" on "pos_register_report" ("location_id", "report_id");
create index "pos_register_report_closed_at" on "pos_register_report" ("closed_at");
create index "pos_register_report_conflict" on "pos_register_report" ("report_id") where conflict;
alter table "pos_register_report" add constraint "pos_register_report_once" unique ("session_id", "number", "content_hash");
alter table "pos_register_report" add constraint "pos_register_report_ends_after_begin" check (closed_at >= opened_at);

create table "pos_register_report_annotation" ("annotation_id" bigserial primary key, "report_id" bigint not null, "text" text not null, "author" text not null, "author_type" varchar(16) not null, "created_at" timestamptz(6) not null default now());
create index "pos_register_report_annotation_report_id_index" on "pos_register_report_annotation" ("report_id");

create table "pos_register_report_revision" ("only_row" boolean not null default true, "revision" bigint not null, primary key ("only_row"));
alter table "pos_register_report_revision" add constraint "pos_register_report_revision_only_row" check (only_row);

create table "pos_register_session" ("session_id" bigserial primary key, "register_session_uuid" varchar(36) not null, "drawer_id" bigint not null, "terminal_id" bigint not null, "location_id" bigint not null, "staff_id" bigint null, "closed_by" bigint null, "state" text not null, "opening" jsonb not null, "request_hash" varchar(64) not null, "opened_at" timestamptz(6) not null, "forced_after" timestamptz(6) not null, "counts_permitted" int not null, "counts_made" int not null default 0, "closed_at" timestamptz(6) null, "close_hash" varchar(64) null, "are_figures_shown" boolean not null default false, "reopened_by" text null, "followed_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now());
alter table "pos_register_session" add constraint "pos_register_session_register_session_uuid_unique" unique ("register_session_uuid");
create index "pos_register_session_terminal_id_index" on "pos_register_session" ("terminal_id");
create index "pos_register_session_drawer" on "pos_register_session" ("drawer_id", "session_id" desc);
create unique index "pos_register_session_one_open" on "pos_register_session" ("drawer_id") where state <> 'closed';
alter table "pos_register_session" add constraint "pos_register_session_state_check" check ("state" in ('open', 'counted', 'closed'));

create table "removed_customer" ("id" bigint not null, "website_id" bigint not null, "store_id" bigint not null, "group_id" bigint not null, "created_at" timestamptz(6) not null, "removed_at" timestamptz(6) not null default now(), primary key ("id"));
create index "removed_customer_removed_at_index" on "removed_customer" ("removed_at");

create table "pos_role" ("role_id" bigserial primary key, "name" varchar(255) not null, "permissions" text not null default '{}', "is_active" boolean not null default true, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());

create table "sales_rule_usage" ("usage_id" bigserial primary key, "kind" text not null, "code" varchar(255) not null, "customer_id" bigint not null default '0', "times_used" int not null default 0);
alter table "sales_rule_usage" add constraint "sales_rule_usage_once" unique ("kind", "code", "customer_id");
alter table "sales_rule_usage" add constraint "sales_rule_usage_not_negative" check (times_used >= 0);
alter table "sales_rule_usage" add constraint "sales_rule_usage_kind_check" check ("kind" in ('rule', 'coupon'));

create table "sales_rule" ("rule_id" bigserial primary key, "name" varchar(255) not null, "description" text not null default '', "is_active" boolean not null default true, "website_ids" text[] null, "customer_group_ids" text[] null, "from_date" date null, "to_date" date null, "condition" jsonb not null, "action_condition" jsonb not null, "sort_order" int not null default 0, "stop_rules_processing" boolean not null default false, "is_advanced" boolean not null default true, "is_rss" boolean not null default false, "simple_action" text not null, "discount_amount" numeric(20,4) not null, "discount_qty" numeric(14,4) not null default 0, "discount_step" numeric(14,4) not null default 0, "apply_to_shipping" boolean not null default false, "simple_free_shipping" text not null default '0', "coupon_type" text not null default 'NO_COUPON', "use_auto_generation" boolean not null default false, "store_labels" jsonb not null default '[]', "uses_per_coupon" int not null default 0, "uses_per_customer" int not null default 0);
alter table "sales_rule" add constraint "sales_rule_discounts" check (discount_amount >= 0 and discount_amount <> 'NaN');
alter table "sales_rule" add constraint "sales_rule_uses_not_negative" check (uses_per_coupon >= 0 and uses_per_customer >= 0);
alter table "sales_rule" add constraint "sales_rule_steps_not_negative" check (discount_qty >= 0 and discount_step >= 0);
alter table "sales_rule" add constraint "sales_rule_simple_action_check" check ("simple_action" in ('by_percent', 'by_fixed', 'cart_fixed', 'buy_x_get_y'));
alter table "sales_rule" add constraint "sales_rule_simple_free_shipping_check" check ("simple_free_shipping" in ('0', '1', '2'));
alter table "sales_rule" add constraint "sales_rule_coupon_type_check" check ("coupon_type" in ('NO_COUPON', 'SPECIFIC_COUPON', 'AUTO'));

create table "sales_coupon" ("coupon_id" bigserial primary key, "rule_id" bigint not null, "code" varchar(255) not null, "is_primary" boolean not null default false, "is_generated" boolean not null default false, "created_at" timestamptz(6) not null default now());
create index "sales_coupon_created_at_index" on "sales_coupon" ("created_at");
create index "sales_coupon_rule_id_coupon_id_index" on "sales_coupon" ("rule_id", "coupon_id");
create unique index "sales_coupon_once" on "sales_coupon" (lower("code"));
create unique index "sales_coupon_one_primary" on "sales_coupon" ("rule_id") where is_primary;

create table "ops_second_factor" ("factor_id" bigserial primary key, "user_kind" text not null, "user_id" bigint not null, "sealed_secret" text not null, "confirmed_at" timestamptz(6) null, "last_step" int not null default 0, "failures" int not null default 0, "failed_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "ops_second_factor" add constraint "ops_second_factor_of_a_person" unique ("user_kind", "user_id");
alter table "ops_second_factor" add constraint "ops_second_factor_user_kind_check" check ("user_kind" in ('admin', 'staff'));

create table "pos_session_count" ("count_id" bigserial primary key, "session_id" bigint not null, "count_uuid" varchar(36) not null, "number" int not null, "lines" jsonb not null, "result" text not null, "movements_hash" varchar(64) not null, "is_not_blind" boolean not null default false, "request_hash" varchar(64) not null, "created_at" timestamptz(6) not null default now());
create index "pos_session_count_session_id_index" on "pos_session_count" ("session_id");
alter table "pos_session_count" add constraint "pos_session_count_count_uuid_unique" unique ("count_uuid");
alter table "pos_session_count" add constraint "pos_session_count_result_check" check ("result" in ('accepted', 'recount'));

create table "pos_session_movement" ("session_movement_id" bigserial primary key, "session_id" bigint not null, "movement_uuid" varchar(36) not null, "kind" text not null, "amount" numeric(20,4) not null, "currency" varchar(3) null, "reason" text not null, "request_hash" varchar(64) not null, "created_at" timestamptz(6) not null default now());
create index "pos_session_movement_session_id_index" on "pos_session_movement" ("session_id");
alter table "pos_session_movement" add constraint "pos_session_movement_movement_uuid_unique" unique ("movement_uuid");
alter table "pos_session_movement" add constraint "pos_session_movement_kind_check" check ("kind" in ('cash_in', 'cash_out', 'drop', 'no_sale'));

create table "inventory_source" ("source_code" varchar(64) not null, "name" varchar(255) not null, "is_enabled" boolean not null default true, "country_id" varchar(2) not null, "region_id" bigint null, "region" varchar(255) null, "city" varchar(255) null, "street" varchar(255) null, "postcode" varchar(255) null, "phone" varchar(255) null, "email" varchar(255) null, "contact_name" varchar(255) null, "fax" varchar(255) null, "description" text null, "latitude_microdegrees" int null, "longitude_microdegrees" int null, "use_default_carrier_config" boolean not null default true, "carrier_links" jsonb not null default '[]', "is_pickup_location_active" boolean not null default false, "frontend_name" varchar(255) null, "frontend_description" text null, primary key ("source_code"));

create table "inventory_source_item" ("source_item_id" bigserial primary key, "sku" varchar(64) not null, "source_code" varchar(64) not null, "quantity" numeric(14,4) not null, "status" int not null default 1);
create index "inventory_source_item_sku_text" on "inventory_source_item" (lower("sku"));
create index "inventory_source_item_status_index" on "inventory_source_item" ("status");
create index "inventory_source_item_source_code_quantity_index" on "inventory_source_item" ("source_code", "quantity");
alter table "inventory_source_item" add constraint "inventory_source_item_once" unique ("sku", "source_code");
alter table "inventory_source_item" add constraint "inventory_source_item_not_negative" check (quantity >= 0 and quantity <> 'NaN');

create table "pos_staff" ("staff_id" bigserial primary key, "staff_code" varchar(5) not null, "first_name" varchar(255) not null, "last_name" varchar(255) not null, "email" varchar(255) not null, "email_key" varchar(255) not null, "passcode_hash" varchar(72) not null, "passcode_updated_at" timestamptz(6) not null default now(), "role_id" bigint not null, "all_locations" boolean not null default false, "is_active" boolean not null default true, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "pos_staff" add constraint "pos_staff_staff_code_unique" unique ("staff_code");
alter table "pos_staff" add constraint "pos_staff_email_key_unique" unique ("email_key");
create index "pos_staff_role_id_index" on "pos_staff" ("role_id");
create index "pos_staff_everywhere" on "pos_staff" ("staff_id") where all_locations and is_active;

create table "pos_staff_location" ("staff_id" bigint not null, "location_id" bigint not null, primary key ("staff_id", "location_id"));
create index "pos_staff_location_location_id_index" on "pos_staff_location" ("location_id");

create table "pos_staff_login_failure" ("email_digest" varchar(64) not null, "failures" int not null, "first_failed_at" timestamptz(6) not null, "blocked_until" timestamptz(6) null, primary key ("email_digest"));
create index "pos_staff_login_failure_first_failed_at_index" on "pos_staff_login_failure" ("first_failed_at");

create table "pos_staff_session" ("session_id" bigserial primary key, "digest" varchar(64) not null, "staff_id" bigint not null, "terminal_id" bigint null, "created_at" timestamptz(6) not null default now(), "expires_at" timestamptz(6) not null);
alter table "pos_staff_session" add constraint "pos_staff_session_digest_unique" unique ("digest");
create index "pos_staff_session_staff_id_index" on "pos_staff_session" ("staff_id");
create index "pos_staff_session_expires_at_index" on "pos_staff_session" ("expires_at");
create index "pos_staff_session_terminal" on "pos_staff_session" ("terminal_id") where terminal_id is not null;

create table "inventory_stock" ("stock_id" bigserial primary key, "name" varchar(255) not null, "website_codes" jsonb not null default '[]');

create table "inventory_reservation" ("reservation_id" bigserial primary key, "stock_id" bigint not null, "sku" varchar(64) not null, "quantity" numeric(14,4) not null, "event_type" text not null, "order_id" bigint not null, "created_at" timestamptz(6) not null default now());
create index "inventory_reservation_order_id_index" on "inventory_reservation" ("order_id");
create index "inventory_reservation_stock_id_sku_index" on "inventory_reservation" ("stock_id", "sku");
alter table "inventory_reservation" add constraint "inventory_reservation_event_type_check" check ("event_type" in ('order_placed', 'order_canceled', 'order_place_failed', 'shipment_created', 'creditmemo_created', 'invoice_created'));

create table "inventory_stock_source" ("link_id" bigserial primary key, "stock_id" bigint not null, "source_code" varchar(64) not null, "priority" int not null default 1);
create index "inventory_stock_source_stock_id_index" on "inventory_stock_source" ("stock_id");
create index "inventory_stock_source_source_code_index" on "inventory_stock_source" ("source_code");
alter table "inventory_stock_source" add constraint "inventory_stock_source_once" unique ("stock_id", "source_code");

create table "tax_class" ("class_id" bigserial primary key, "class_name" varchar(255) not null, "class_type" text not null);
create unique index "tax_class_once" on "tax_class" ("class_type", lower("class_name"));
alter table "tax_class" add constraint "tax_class_class_type_check" check ("class_type" in ('CUSTOMER', 'PRODUCT'));

create table "tax_rate" ("rate_id" bigserial primary key, "code" varchar(255) not null, "country_id" varchar(2) not null, "region_id" bigint not null default '0', "postcode" varchar(21) not null default '*', "zip_from" int null, "zip_to" int null, "percent" numeric(12,4) not null, "titles" jsonb not null default '[]');
create index "tax_rate_country_id_region_id_postcode_index" on "tax_rate" ("country_id", "region_id", "postcode");
create index "tax_rate_country_id_rate_id_index" on "tax_rate" ("country_id", "rate_id");
create index "tax_rate_region_id_index" on "tax_rate" ("region_id");
create index "tax_rate_zip_from_index" on "tax_rate" ("zip_from");
create index "tax_rate_zip_to_index" on "tax_rate" ("zip_to");
create index "tax_rate_percent_index" on "tax_rate" ("percent");
create index "tax_rate_postcode_text" on "tax_rate" (lower("postcode"));
create unique index "tax_rate_code_once" on "tax_rate" (lower("code"));
alter table "tax_rate" add constraint "tax_rate_is_a_share" check (percent >= 0 and percent <= 100 and percent <> 'NaN');
alter table "tax_rate" add constraint "tax_rate_has_both_ends" check ((zip_from is null) = (zip_to is null) and zip_from <= zip_to);

create table "tax_rule" ("rule_id" bigserial primary key, "code" varchar(255) not null, "priority" int not null default 0, "position" int not null default 0, "calculate_subtotal" boolean not null default false, "customer_tax_class_ids" bigint[] not null, "product_tax_class_ids" bigint[] not null, "tax_rate_ids" bigint[] not null);
create unique index "tax_rule_code_once" on "tax_rule" (lower("code"));
alter table "tax_rule" add constraint "tax_rule_order_not_negative" check (priority >= 0 and position >= 0);

create table "pos_telemetry_batch" ("digest" varchar(64) not null, "received_at" timestamptz(6) not null default now(), primary key ("digest"));
create index "pos_telemetry_batch_received_at_index" on "pos_telemetry_batch" ("received_at");

create table "pos_telemetry_event" ("recorded_on" date not null, "received_at" timestamptz(6) not null default now(), "event_id" bigserial not null, "recorded_at" timestamptz(6) not null, "location_id" bigint null, "terminal_id" bigint null, "device_id" varchar(255) null, "app_version" varchar(64) null, "event_type" varchar(128) not null, "event_name" varchar(255) not null, "event_data" jsonb null, "value" numeric(24,6) null, "period" varchar(64) null, primary key ("recorded_on", "received_at", "event_id")) partition by range ("recorded_on");
create table "pos_telemetry_event_other" partition of "pos_telemetry_event" default;

create table "pos_telemetry_summary" ("day" date not null, "location_id" bigint not null, "event_type" varchar(128) not null, "event_name" varchar(255) not null, "event_count" bigint not null, "value_count" bigint not null, "value_sum" numeric(38,6) not null, "value_min" numeric(24,6) null, "value_max" numeric(24,6) null, "summarised_at" timestamptz(6) not null, primary key ("day", "location_id", "event_type", "event_name"));

create table "pos_terminal" ("terminal_id" bigserial primary key, "name" varchar(255) not null, "device_identifier" varchar(100) null, "released_device_identifier" varchar(100) null, "location_id" bigint null, "is_active" boolean not null default true, "activation_code" varchar(12) null, "activation_used_at" timestamptz(6) null, "code_claimed_by" varchar(100) null, "code_claimed_until" timestamptz(6) null, "license_id" bigint null, "config_overrides" jsonb not null default '{}', "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "pos_terminal" add constraint "pos_terminal_device_identifier_unique" unique ("device_identifier");
create index "pos_terminal_location_id_index" on "pos_terminal" ("location_id");
create index "pos_terminal_is_active_index" on "pos_terminal" ("is_active");
create index "pos_terminal_license_id_index" on "pos_terminal" ("license_id");
create index "pos_terminal_name_text" on "pos_terminal" (lower("name"));
create unique index "pos_terminal_unused_code_once" on "pos_terminal" ("activation_code") where activation_used_at is null;
alter table "pos_terminal" add constraint "pos_terminal_device_identifier_format" check (device_identifier ~ '^[a-zA-Z0-9-]{1,100}$');
alter table "pos_terminal" add constraint "pos_terminal_activation_code_format" check (activation_code ~ '^[A-Z0-9]{4,12}$');

create table "pos_terminal_heartbeat" ("terminal_id" bigint not null, "last_seen_at" timestamptz(6) null, primary key ("terminal_id"));

create table "pos_terminal_software" ("terminal_id" bigint not null, "config_hash" varchar(32) null, "fetched_at" timestamptz(6) null, "agent" varchar(255) null, "app_version" varchar(64) null, primary key ("terminal_id"));

create table "token_throttle" ("throttle_id" bigserial primary key, "user_name" varchar(255) not null, "user_type" text not null, "entry_point" text not null, "failures" int not null default 0, "locked_until" timestamptz(6) null, "last_failed_at" timestamptz(6) not null default now());
alter table "token_throttle" add constraint "token_throttle_once_per_user" unique ("user_name", "user_type", "entry_point");
alter table "token_throttle" add constraint "token_throttle_user_type_check" check ("user_type" in ('integration', 'admin', 'customer'));
alter table "token_throttle" add constraint "token_throttle_entry_point_check" check ("entry_point" in ('token', 'receipt', 'own_password'));

create table "unique_value" ("attribute_id" bigint not null, "value" varchar(255) not null, "product_id" bigint not null, primary key ("attribute_id", "value"));
create index "unique_value_product_id_index" on "unique_value" ("product_id");

create table "webhook_endpoint" ("endpoint_id" bigserial primary key, "url" varchar(2000) not null, "description" varchar(255) not null default '', "types" text[] not null default '{}', "format" text not null default 'standard', "state" text not null default 'on', "paused_for" varchar(255) null, "sealed_secret" text not null, "sealed_former_secret" text null, "former_until" timestamptz(6) null, "planned_up_to" bigint not null default 0, "failures" int not null default 0, "failing_since" timestamptz(6) null, "held_until" timestamptz(6) null, "followed_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "webhook_endpoint" add constraint "webhook_endpoint_format_check" check ("format" in ('standard', 'slack'));
alter table "webhook_endpoint" add constraint "webhook_endpoint_state_check" check ("state" in ('on', 'off', 'paused'));

create table "webhook_delivery" ("delivery_id" bigserial primary key, "endpoint_id" bigint not null, "event_id" bigint not null, "sequence" bigint not null, "object_key" varchar(100) not null, "state" text not null default 'waiting', "is_next" boolean not null default true, "tries" int not null default 0, "due_at" timestamptz(6) not null default now(), "first_tried_at" timestamptz(6) null, "delivered_at" timestamptz(6) null);
create index "webhook_delivery_event_id_index" on "webhook_delivery" ("event_id");
create index "webhook_delivery_next" on "webhook_delivery" ("endpoint_id", "due_at", "sequence") where state = 'waiting' and is_next;
create index "webhook_delivery_of_object" on "webhook_delivery" ("endpoint_id", "object_key", "sequence") where state = 'waiting';
alter table "webhook_delivery" add constraint "webhook_delivery_once" unique ("endpoint_id", "event_id");
alter table "webhook_delivery" add constraint "webhook_delivery_state_check" check ("state" in ('waiting', 'delivered', 'given_up'));

create table "webhook_attempt" ("attempt_id" bigserial primary key, "delivery_id" bigint not null, "endpoint_id" bigint not null, "at" timestamptz(6) not null default now(), "status" int null, "took_ms" int not null, "failure" varchar(255) null, "answer" varchar(1024) null);
create index "webhook_attempt_delivery_id_index" on "webhook_attempt" ("delivery_id");
create index "webhook_attempt_endpoint_id_attempt_id_index" on "webhook_attempt" ("endpoint_id", "attempt_id");

create table "webhook_older_secret" ("older_secret_id" bigserial primary key, "endpoint_id" bigint not null, "sealed_secret" text not null, "signs_until" timestamptz(6) not null);
create index "webhook_older_secret_endpoint_id_index" on "webhook_older_secret" ("endpoint_id");

create table "website" ("website_id" bigserial primary key, "code" varchar(32) not null, "name" varchar(64) not null, "default_group_id" bigint not null default '0', "base_currency_code" varchar(3) not null, "time_zone" varchar(64) not null default 'UTC', "is_default" boolean not null default false);
alter table "website" add constraint "website_code_unique" unique ("code");

create table "store_view" ("store_id" bigserial primary key, "website_id" bigint not null, "store_group_id" bigint not null default '0', "code" varchar(32) not null, "name" varchar(255) not null, "is_active" boolean not null default true, "currency_code" varchar(3) not null, "currency_rate" numeric(24,12) not null default '1', "locale" varchar(16) not null default 'en_US', "sort_order" int not null default 0);
create index "store_view_website_id_index" on "store_view" ("website_id");
alter table "store_view" add constraint "store_view_code_unique" unique ("code");

create table "sales_order" ("entity_id" bigserial primary key, "increment_id" varchar(50) not null, "state" text not null, "status" varchar(32) not null, "store_id" bigint not null, "store_name" varchar(255) null, "protect_code" varchar(32) not null, "base_currency_code" varchar(3) not null, "global_currency_code" varchar(3) not null, "order_currency_code" varchar(3) not null, "store_currency_code" varchar(3) not null, "base_to_global_rate" numeric(24,12) not null default '1', "base_to_order_rate" numeric(24,12) not null default '1', "store_to_base_rate" numeric(24,12) not null default '1', "store_to_order_rate" numeric(24,12) not null default '1', "adjustment_negative" numeric(20,4) not null default 0, "adjustment_positive" numeric(20,4) not null default 0, "discount_amount" numeric(20,4) not null default 0, "discount_canceled" numeric(20,4) not null default 0, "discount_invoiced" numeric(20,4) not null default 0, "discount_refunded" numeric(20,4) not null default 0, "discount_tax_compensation_amount" numeric(20,4) not null default 0, "discount_tax_compensation_invoiced" numeric(20,4) not null default 0, "discount_tax_compensation_refunded" numeric(20,4) not null default 0, "grand_total" numeric(20,4) not null default 0, "shipping_amount" numeric(20,4) not null default 0, "shipping_canceled" numeric(20,4) not null default 0, "shipping_discount_amount" numeric(20,4) not null default 0, "shipping_incl_tax" numeric(20,4) not null default 0, "shipping_invoiced" numeric(20,4) not null default 0, "shipping_refunded" numeric(20,4) not null default 0, "shipping_tax_amount" numeric(20,4) not null default 0, "shipping_tax_refunded" numeric(20,4) not null default 0, "subtotal" numeric(20,4) not null default 0, "subtotal_canceled" numeric(20,4) not null default 0, "subtotal_incl_tax" numeric(20,4) not null default 0, "subtotal_invoiced" numeric(20,4) not null default 0, "subtotal_refunded" numeric(20,4) not null default 0, "tax_amount" numeric(20,4) not null default 0, "tax_canceled" numeric(20,4) not null default 0, "tax_invoiced" numeric(20,4) not null default 0, "tax_refunded" numeric(20,4) not null default 0, "total_canceled" numeric(20,4) not null default 0, "total_invoiced" numeric(20,4) not null default 0, "total_offline_refunded" numeric(20,4) not null default 0, "total_online_refunded" numeric(20,4) not null default 0, "total_paid" numeric(20,4) not null default 0, "total_refunded" numeric(20,4) not null default 0, "base_adjustment_negative" numeric(20,4) not null default 0, "base_adjustment_positive" numeric(20,4) not null default 0, "base_discount_amount" numeric(20,4) not null default 0, "base_discount_canceled" numeric(20,4) not null default 0, "base_discount_invoiced" numeric(20,4) not null default 0, "base_discount_refunded" numeric(20,4) not null default 0, "base_discount_tax_compensation_amount" numeric(20,4) not null default 0, "base_discount_tax_compensation_invoiced" numeric(20,4) not null default 0, "base_discount_tax_compensation_refunded" numeric(20,4) not null default 0, "base_grand_total" numeric(20,4) not null default 0, "base_shipping_amount" numeric(20,4) not null default 0, "base_shipping_canceled" numeric(20,4) not null default 0, "base_shipping_discount_amount" numeric(20,4) not null default 0, "base_shipping_incl_tax" numeric(20,4) not null default 0, "base_shipping_invoiced" numeric(20,4) not null default 0, "base_shipping_refunded" numeric(20,4) not null default 0, "base_shipping_tax_amount" numeric(20,4) not null default 0, "base_shipping_tax_refunded" numeric(20,4) not null default 0, "base_subtotal" numeric(20,4) not null default 0, "base_subtotal_canceled" numeric(20,4) not null default 0, "base_subtotal_incl_tax" numeric(20,4) not null default 0, "base_subtotal_invoiced" numeric(20,4) not null default 0, "base_subtotal_refunded" numeric(20,4) not null default 0, "base_tax_amount" numeric(20,4) not null default 0, "base_tax_canceled" numeric(20,4) not null default 0, "base_tax_invoiced" numeric(20,4) not null default 0, "base_tax_refunded" numeric(20,4) not null default 0, "base_total_canceled" numeric(20,4) not null default 0, "base_total_invoiced" numeric(20,4) not null default 0, "base_total_offline_refunded" numeric(20,4) not null default 0, "base_total_online_refunded" numeric(20,4) not null default 0, "base_total_paid" numeric(20,4) not null default 0, "base_total_refunded" numeric(20,4) not null default 0, "shipping_discount_tax_compensation_amount" numeric(20,4) not null default 0, "base_shipping_discount_tax_compensation_amnt" numeric(20,4) not null default 0, "base_total_invoiced_cost" numeric(20,4) not null default 0, "payment_authorization_amount" numeric(20,4) null, "base_payment_authorization_amount" numeric(20,4) null, "base_pending_refund" numeric(20,4) not null default 0, "returned_without_memo" numeric(20,4) not null default 0, "base_returned_without_memo" numeric(20,4) not null default 0, "difference_refunded" numeric(20,4) not null default 0, "base_difference_refunded" numeric(20,4) not null default 0, "due_taken_off" numeric(20,4) not null default 0, "base_due_taken_off" numeric(20,4) not null default 0, "pending_memos" jsonb null, "total_due" numeric(20,4) generated always as (case when state in ('canceled', 'closed') or pos_layaway_status = 'cancelled' then 0 else greatest(in_coins(grand_total - total_paid - due_taken_off, order_currency_code), 0) end) stored null, "base_total_due" numeric(20,4) generated always as (case when state in ('canceled', 'closed') or pos_layaway_status = 'cancelled' then 0 else greatest(in_coins(base_grand_total - base_total_paid - base_due_taken_off, base_currency_code), 0) end) stored null, "total_qty_ordered" numeric(14,4) null, "weight" numeric(14,4) null, "total_item_count" int not null default 0, "is_virtual" boolean not null default false, "customer_is_guest" boolean not null default false, "customer_id" bigint null, "customer_email" varchar(255) null, "customer_firstname" varchar(255) null, "customer_lastname" varchar(255) null, "customer_middlename" varchar(255) null, "customer_prefix" varchar(255) null, "customer_suffix" varchar(255) null, "customer_taxvat" varchar(255) null, "customer_dob" varchar(255) null, "coupon_code" varchar(255) null, "discount_description" varchar(255) null, "shipping_description" varchar(255) null, "shipping_method" varchar(255) null, "applied_rule_ids" varchar(255) null, "ext_order_id" varchar(255) null, "ext_customer_id" varchar(255) null, "original_increment_id" varchar(255) null, "remote_ip" varchar(255) null, "x_forwarded_for" varchar(255) null, "hold_before_state" varchar(255) null, "hold_before_status" varchar(255) null, "relation_child_id" varchar(255) null, "relation_child_real_id" varchar(255) null, "relation_parent_id" varchar(255) null, "relation_parent_real_id" varchar(255) null, "customer_note" text null, "customer_gender" int null, "customer_note_notify" int null, "email_sent" int null, "edit_increment" int null, "can_ship_partially" int null, "can_ship_partially_item" int null, "forced_shipment_with_invoice" int null, "payment_auth_expiration" int null, "customer_group_id" bigint null, "quote_id" bigint null, "quote_address_id" bigint null, "billing_address_id" bigint null, "shipping_address_id" bigint null, "pos_sale_id" varchar(64) null, "pos_sale_fingerprint" varchar(64) null, "pos_credit_due" numeric(20,4) null, "pos_layaway_status" varchar(20) null, "pos_layaway_deposit_amount" numeric(20,4) null, "pos_layaway_balance_owed" numeric(20,4) null, "pos_layaway_expires_at" timestamptz(0) null, "pos_layaway_initial_payment_method" varchar(128) null, "pos_layaway_followed_at" timestamptz(6) null, "extension_attributes" jsonb not null default '{}', "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "sales_order_created_at_index" on "sales_order" ("created_at");
create index "sales_order_updated_at_index" on "sales_order" ("updated_at");
create index "sales_order_state_entity_id_index" on "sales_order" ("state", "entity_id");
create index "sales_order_status_entity_id_index" on "sales_order" ("status", "entity_id");
create index "sales_order_store_id_entity_id_index" on "sales_order" ("store_id", "entity_id");
create index "sales_order_grand_total_index" on "sales_order" ("grand_total");
create index "sales_order_pos_layaway_status" on "sales_order" ("pos_layaway_status", "created_at", "entity_id") where pos_layaway_status is not null;
create index "sales_order_quote_id" on "sales_order" ("quote_id") where quote_id is not null;
create index "sales_order_ext_order_id_text" on "sales_order" (lower("ext_order_id")) where ext_order_id is not null;
create index "sales_order_layaway_due" on "sales_order" ("pos_layaway_expires_at") where pos_layaway_status = 'open';
create index "sales_order_layaway_unfollowed" on "sales_order" ("entity_id") where pos_layaway_status in ('open', 'stale') and pos_layaway_followed_at is null;
create index "sales_order_customer_email_text" on "sales_order" (lower("customer_email") nulls first);
create index "sales_order_status_text" on "sales_order" (lower("status"), "created_at");
create index "sales_order_of_customer" on "sales_order" (customer_id, created_at desc, entity_id desc) include (store_id, state, base_grand_total, base_total_canceled, base_total_paid, base_total_refunded, base_returned_without_memo) where customer_id is not null;
create index "sales_order_owed" on "sales_order" ("customer_id") where customer_id is not null and base_total_due > 0 and state <> 'canceled' and state <> 'closed';
alter table "sales_order" add constraint "sales_order_increment_id_once_per_store" unique ("increment_id", "store_id");
create unique index "sales_order_pos_sale_id_once" on "sales_order" ("pos_sale_id") where pos_sale_id is not null;
alter table "sales_order" add constraint "sales_order_never_overpaid" check (total_paid <= grand_total and base_total_paid <= base_grand_total);
alter table "sales_order" add constraint "sales_order_paid_not_negative" check (total_paid >= 0 and total_paid <> 'NaN' and total_refunded >= 0 and base_total_paid >= 0 and base_total_paid <> 'NaN' and base_total_refunded >= 0 and base_pending_refund >= 0);
alter table "sales_order" add constraint "sales_order_never_over_refunded" check ((base_total_refunded + base_pending_refund <= base_total_paid or base_total_refunded + base_pending_refund <= in_coins(base_total_paid, base_currency_code)) and (total_refunded <= total_paid or total_refunded <= in_coins(total_paid, order_currency_code)));
alter table "sales_order" add constraint "sales_order_never_given_back_twice" check (returned_without_memo >= 0 and base_returned_without_memo >= 0 and (returned_without_memo = 0 or in_coins(total_refunded + returned_without_memo, order_currency_code) <= greatest(total_paid, in_coins(total_paid, order_currency_code))) and (base_returned_without_memo = 0 or in_coins(base_total_refunded + base_pending_refund + base_returned_without_memo, base_currency_code) <= greatest(base_total_paid, in_coins(base_total_paid, base_currency_code))));
alter table "sales_order" add constraint "sales_order_state_check" check ("state" in ('new', 'pending_payment', 'processing', 'complete', 'closed', 'canceled', 'holded', 'payment_review'));

create table "store_credit_promise" ("order_id" bigint not null, "amount" numeric(20,4) not null, "currency_code" varchar(3) not null, "since" timestamptz(6) not null, primary key ("order_id"));
create index "store_credit_promise_since_index" on "store_credit_promise" ("since");
alter table "store_credit_promise" add constraint "store_credit_promise_positive" check (amount > 0 and amount <> 'NaN');

create table "sales_shipment" ("entity_id" bigserial primary key, "order_id" bigint not null, "increment_id" varchar(50) not null, "store_id" bigint not null, "source_code" varchar(64) not null, "total_qty" numeric(14,4) not null, "email_sent" int null, "shipping_label" text null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "sales_shipment_order_id_index" on "sales_shipment" ("order_id");
create index "sales_shipment_created_at_index" on "sales_shipment" ("created_at");
create index "sales_shipment_updated_at_index" on "sales_shipment" ("updated_at");
alter table "sales_shipment" add constraint "sales_shipment_increment_id_once_per_store" unique ("increment_id", "store_id");

create table "sales_shipment_track" ("entity_id" bigserial primary key, "parent_id" bigint not null, "order_id" bigint not null, "track_number" text not null, "title" varchar(255) not null, "carrier_code" varchar(255) not null, "description" text null, "weight" numeric(14,4) null, "qty" numeric(14,4) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "sales_shipment_track_parent_id_index" on "sales_shipment_track" ("parent_id");
create index "sales_shipment_track_order_id_index" on "sales_shipment_track" ("order_id");

create table "sales_shipment_item" ("entity_id" bigserial primary key, "parent_id" bigint not null, "order_item_id" bigint not null, "product_id" bigint null, "sku" varchar(255) not null, "name" varchar(255) null, "qty" numeric(14,4) not null);
create index "sales_shipment_item_parent_id_index" on "sales_shipment_item" ("parent_id");
create index "sales_shipment_item_order_item_id_index" on "sales_shipment_item" ("order_item_id");

create table "pos_receipt" ("receipt_id" bigserial primary key, "pos_order_id" varchar(64) not null, "sale_id" varchar(255) null, "staff_name" varchar(255) null, "terminal_name" varchar(255) null, "location_name" varchar(255) null, "order_increment_id" varchar(255) null, "payment_method" varchar(255) null, "receipt_number" varchar(255) null, "original_order_increment_id" varchar(255) null, "terminal_provider" varchar(255) null, "terminal_payment_id" varchar(255) null, "customer_name" varchar(255) null, "customer_email" varchar(255) null, "points_earned" numeric(20,4) null, "terminal_id" bigint null, "location_id" bigint null, "staff_id" bigint null, "credit_memo_id" bigint null, "rma_id" bigint null, "register_session_uuid" text null, "subtotal" numeric(20,4) null, "tax_amount" numeric(20,4) null, "discount_amount" numeric(20,4) null, "grand_total" numeric(20,4) null, "amount_tendered" numeric(20,4) null, "change_due" numeric(20,4) null, "shipping_refund" numeric(20,4) null, "adjustment_positive" numeric(20,4) null, "adjustment_negative" numeric(20,4) null, "layaway_amount_captured" numeric(20,4) null, "layaway_total_paid" numeric(20,4) null, "layaway_balance_owed" numeric(20,4) null, "currency" varchar(3) null, "token_digest" varchar(64) not null, "sealed_token" text not null, "sale_type" text null, "layaway_kind" text null, "layaway_expires_at" timestamptz(6) null, "is_reverse_charge" boolean not null default false, "raw_payload" text null, "receipt_model" text null, "split_payments" text null, "ship_to_shipments" text null, "backorder_shipments" text null, "applied_credits" text null, "terminal_dashboard_url" text null, "terminal_info" text null, "terminal_raw_payload" text null, "customer_id" bigint null, "claimed_at" timestamptz(6) null, "claimed_order_id" bigint null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "pos_receipt" add constraint "pos_receipt_pos_order_id_unique" unique ("pos_order_id");
alter table "pos_receipt" add constraint "pos_receipt_token_digest_unique" unique ("token_digest");
create index "pos_receipt_sale_type_receipt_id_order" on "pos_receipt" ("sale_type" nulls first, "receipt_id");
create index "pos_receipt_location_id_receipt_id_order" on "pos_receipt" ("location_id" nulls first, "receipt_id");
create index "pos_receipt_terminal_id_receipt_id_order" on "pos_receipt" ("terminal_id" nulls first, "receipt_id");
create index "pos_receipt_location_id_created_at_index" on "pos_receipt" ("location_id", "created_at");
create index "pos_receipt_terminal_id_created_at_index" on "pos_receipt" ("terminal_id", "created_at");
create index "pos_receipt_created_at_index" on "pos_receipt" ("created_at");
create index "pos_receipt_order_increment_id_plain" on "pos_receipt" ("order_increment_id" nulls first);
create index "pos_receipt_original_order" on "pos_receipt" ("original_order_increment_id") where original_order_increment_id is not null;
create index "pos_receipt_of_return" on "pos_receipt" ("rma_id") where rma_id is not null;
create index "pos_receipt_customer_email_text" on "pos_receipt" (lower("customer_email")) where customer_email is not null;
create index "pos_receipt_receipt_number" on "pos_receipt" ("receipt_number") where receipt_number is not null;
create index "pos_receipt_claimed_order" on "pos_receipt" ("claimed_order_id") where claimed_order_id is not null;
create index "pos_receipt_without_order" on "pos_receipt" ("receipt_id") where order_increment_id is null and sale_type is distinct from 'refund';
alter table "pos_receipt" add constraint "pos_receipt_claimed_by_somebody" check (num_nulls(claimed_at, customer_id, claimed_order_id) in (0, 3));
alter table "pos_receipt" add constraint "pos_receipt_sale_type_check" check ("sale_type" in ('refund', 'exchange'));
alter table "pos_receipt" add constraint "pos_receipt_layaway_kind_check" check ("layaway_kind" in ('deposit', 'top_up', 'settlement', 'credit_due'));

create table "pos_receipt_pdf" ("receipt_id" bigint not null, "digest" varchar(64) not null, "content" bytea not null, "made_at" timestamptz(6) not null default now(), primary key ("receipt_id"));
create index "pos_receipt_pdf_made_at_index" on "pos_receipt_pdf" ("made_at");

create table "pos_receipt_item" ("receipt_item_id" bigserial primary key, "receipt_id" bigint not null, "sku" varchar(255) null, "name" text null, "qty" numeric(14,4) null, "price" numeric(20,4) null, "row_total" numeric(20,4) null, "tax_amount" numeric(20,4) null, "discount_amount" numeric(20,4) null, "base_unit_price" numeric(20,4) null, "fulfillment_mode" varchar(64) null);
create index "pos_receipt_item_receipt_id_index" on "pos_receipt_item" ("receipt_id");

create table "reward_points_due" ("order_id" bigint not null, "created_at" timestamptz(6) not null default clock_timestamp(), primary key ("order_id"));
create index "reward_points_due_created_at_index" on "reward_points_due" ("created_at");

create table "sales_payment_transaction" ("transaction_id" bigserial primary key, "parent_id" bigint null, "order_id" bigint not null, "payment_id" bigint not null, "txn_id" varchar(255) not null, "parent_txn_id" varchar(255) null, "txn_type" text not null, "is_closed" boolean not null default true, "additional_information" json not null default '{}', "created_at" timestamptz(6) not null default now());
create index "sales_payment_transaction_order_id_index" on "sales_payment_transaction" ("order_id");
create index "sales_payment_transaction_created_at_index" on "sales_payment_transaction" ("created_at");
create index "sales_payment_transaction_txn_id_text" on "sales_payment_transaction" (lower("txn_id"));
alter table "sales_payment_transaction" add constraint "sales_payment_transaction_once" unique ("order_id", "txn_type", "txn_id");
alter table "sales_payment_transaction" add constraint "sales_payment_transaction_txn_type_check" check ("txn_type" in ('payment', 'order', 'authorization', 'capture', 'void', 'refund'));

create table "sales_order_payment" ("entity_id" bigserial primary key, "order_id" bigint not null, "method" varchar(128) not null, "amount_ordered" numeric(20,4) not null default 0, "amount_paid" numeric(20,4) not null default 0, "amount_refunded" numeric(20,4) not null default 0, "amount_authorized" numeric(20,4) not null default 0, "amount_canceled" numeric(20,4) not null default 0, "shipping_amount" numeric(20,4) not null default 0, "shipping_captured" numeric(20,4) not null default 0, "shipping_refunded" numeric(20,4) not null default 0, "base_amount_ordered" numeric(20,4) not null default 0, "base_amount_paid" numeric(20,4) not null default 0, "base_amount_refunded" numeric(20,4) not null default 0, "base_amount_authorized" numeric(20,4) not null default 0, "base_amount_canceled" numeric(20,4) not null default 0, "base_shipping_amount" numeric(20,4) not null default 0, "base_shipping_captured" numeric(20,4) not null default 0, "base_shipping_refunded" numeric(20,4) not null default 0, "last_trans_id" varchar(255) null, "po_number" varchar(255) null, "account_status" varchar(255) null, "cc_last4" varchar(255) null, "cc_type" varchar(255) null, "cc_owner" varchar(255) null, "cc_trans_id" varchar(255) null, "additional_information" json not null default '{}');
alter table "sales_order_payment" add constraint "sales_order_payment_order_id_unique" unique ("order_id");
create index "sales_order_payment_method_index" on "sales_order_payment" ("method");
create index "sales_order_payment_last_trans_id_text" on "sales_order_payment" (lower("last_trans_id")) where last_trans_id is not null;
create index "sales_order_payment_cc_last4" on "sales_order_payment" ("cc_last4") where cc_last4 is not null;

create table "sales_order_item" ("item_id" bigserial primary key, "order_id" bigint not null, "parent_item_id" bigint null, "store_id" bigint null, "product_id" bigint null, "product_type" varchar(32) not null default 'simple', "sku" varchar(255) not null, "stock_sku" varchar(64) null, "name" varchar(255) null, "qty_ordered" numeric(14,4) not null, "qty_invoiced" numeric(14,4) not null default 0, "qty_shipped" numeric(14,4) not null default 0, "qty_refunded" numeric(14,4) not null default 0, "qty_canceled" numeric(14,4) not null default 0, "qty_backordered" numeric(14,4) not null default 0, "qty_returned" numeric(14,4) not null default 0, "price" numeric(20,4) not null default 0, "original_price" numeric(20,4) not null default 0, "row_total" numeric(20,4) not null default 0, "row_invoiced" numeric(20,4) not null default 0, "tax_amount" numeric(20,4) not null default 0, "tax_invoiced" numeric(20,4) not null default 0, "tax_refunded" numeric(20,4) not null default 0, "tax_canceled" numeric(20,4) not null default 0, "discount_amount" numeric(20,4) not null default 0, "discount_invoiced" numeric(20,4) not null default 0, "discount_refunded" numeric(20,4) not null default 0, "discount_tax_compensation_amount" numeric(20,4) not null default 0, "discount_tax_compensation_invoiced" numeric(20,4) not null default 0, "discount_tax_compensation_refunded" numeric(20,4) not null default 0, "discount_tax_compensation_canceled" numeric(20,4) not null default 0, "amount_refunded" numeric(20,4) not null default 0, "weee_tax_applied_amount" numeric(20,4) not null default 0, "weee_tax_row_disposition" numeric(20,4) not null default 0, "weee_tax_disposition" numeric(20,4) not null default 0, "weee_tax_amount_invoiced" numeric(20,4) not null default 0, "weee_tax_amount_refunded" numeric(20,4) not null default 0, "base_price" numeric(20,4) not null default 0, "base_original_price" numeric(20,4) not null default 0, "base_row_total" numeric(20,4) not null default 0, "base_row_invoiced" numeric(20,4) not null default 0, "base_tax_amount" numeric(20,4) not null default 0, "base_tax_invoiced" numeric(20,4) not null default 0, "base_tax_refunded" numeric(20,4) not null default 0, "base_tax_canceled" numeric(20,4) not null default 0, "base_discount_amount" numeric(20,4) not null default 0, "base_discount_invoiced" numeric(20,4) not null default 0, "base_discount_refunded" numeric(20,4) not null default 0, "base_discount_tax_compensation_amount" numeric(20,4) not null default 0, "base_discount_tax_compensation_invoiced" numeric(20,4) not null default 0, "base_discount_tax_compensation_refunded" numeric(20,4) not null default 0, "base_discount_tax_compensation_canceled" numeric(20,4) not null default 0, "base_amount_refunded" numeric(20,4) not null default 0, "base_weee_tax_applied_amount" numeric(20,4) not null default 0, "base_weee_tax_row_disposition" numeric(20,4) not null default 0, "base_weee_tax_disposition" numeric(20,4) not null default 0, "base_weee_tax_amount_invoiced" numeric(20,4) not null default 0, "base_weee_tax_amount_refunded" numeric(20,4) not null default 0, "weee_tax_applied_row_amount" numeric(20,4) not null default 0, "base_weee_tax_applied_row_amnt" numeric(20,4) not null default 0, "price_incl_tax" numeric(20,4) null, "base_price_incl_tax" numeric(20,4) null, "row_total_incl_tax" numeric(20,4) null, "base_row_total_incl_tax" numeric(20,4) null, "cost" numeric(20,4) null, "base_cost" numeric(20,4) null, "tax_percent" numeric(12,4) not null default '0', "discount_percent" numeric(12,4) not null default '0', "weee_tax_applied" text null, "is_virtual" boolean not null default false, "is_qty_decimal" boolean not null default false, "is_returnable" boolean not null default true, "no_discount" int null, "free_shipping" int null, "locked_do_invoice" int null, "locked_do_ship" int null, "quote_item_id" bigint null, "weight" numeric(14,4) null, "row_weight" numeric(14,4) not null default 0, "description" text null, "applied_rule_ids" text null, "additional_data" text null, "product_option" jsonb null, "entered_options" jsonb not null default '[]', "extension_attributes" jsonb not null default '{}', "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "sales_order_item_order_id_index" on "sales_order_item" ("order_id");
create index "sales_order_item_parent_item_id_index" on "sales_order_item" ("parent_item_id");
create index "sales_order_item_product_id_index" on "sales_order_item" ("product_id");
create index "sales_order_item_sku_index" on "sales_order_item" ("sku");
create index "sales_order_item_created_at_index" on "sales_order_item" ("created_at");
alter table "sales_order_item" add constraint "sales_order_item_within_ordered" check ((qty_refunded <= qty_invoiced or (qty_invoiced = 0 and qty_refunded <= qty_ordered)) and qty_invoiced + qty_canceled <= qty_ordered and qty_shipped <= qty_ordered);

create table "order_credit" ("credit_id" bigserial primary key, "order_id" bigint not null, "kind" text not null, "provider_code" varchar(64) not null, "applies_as" text not null, "customer_id" bigint null, "website_id" bigint not null, "code" varchar(255) null, "base_amount" numeric(20,4) not null, "amount" numeric(20,4) not null, "points" int null, "base_returned" numeric(20,4) not null default 0, "amount_returned" numeric(20,4) not null default 0, "base_reserved" numeric(20,4) not null default 0, "amount_reserved" numeric(20,4) not null default 0, "points_returned" int not null default 0, "points_reserved" int not null default 0, "spend_key" varchar(128) not null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "order_credit_order_id_index" on "order_credit" ("order_id");
alter table "order_credit" add constraint "order_credit_spend_key_unique" unique ("spend_key");
alter table "order_credit" add constraint "order_credit_amount_positive" check (base_amount > 0 and base_amount <> 'NaN' and amount > 0 and amount <> 'NaN' and (points is null or points > 0));
alter table "order_credit" add constraint "order_credit_never_over_returned" check (base_returned + base_reserved <= base_amount and amount_returned + amount_reserved <= amount and points_returned + points_reserved <= coalesce(points, 0));
alter table "order_credit" add constraint "order_credit_returned_not_negative" check (least(base_returned, amount_returned, points_returned, base_reserved, amount_reserved, points_reserved) >= 0);
alter table "order_credit" add constraint "order_credit_kind_check" check ("kind" in ('store_credit', 'gift_card', 'reward_points'));
alter table "order_credit" add constraint "order_credit_applies_as_check" check ("applies_as" in ('tender', 'discount'));

create table "sales_order_status_history" ("entity_id" bigserial primary key, "parent_id" bigint not null, "comment" text null, "status" varchar(32) null, "entity_name" varchar(32) not null default 'order', "is_customer_notified" int null default 0, "is_visible_on_front" int not null default 0, "created_at" timestamptz(6) not null default now());
create index "sales_order_status_history_parent_id_index" on "sales_order_status_history" ("parent_id");

create table "sales_order_address" ("entity_id" bigserial primary key, "order_id" bigint not null, "address_type" text not null, "street" jsonb not null default '[]', "region_id" bigint null, "customer_id" bigint null, "customer_address_id" bigint null, "firstname" varchar(255) null, "lastname" varchar(255) null, "middlename" varchar(255) null, "prefix" varchar(255) null, "suffix" varchar(255) null, "company" varchar(255) null, "city" varchar(255) null, "region" varchar(255) null, "region_code" varchar(255) null, "postcode" varchar(255) null, "country_id" varchar(255) null, "telephone" varchar(255) null, "fax" varchar(255) null, "email" varchar(255) null, "vat_id" varchar(255) null);
create index "sales_order_address_order_id_index" on "sales_order_address" ("order_id");
alter table "sales_order_address" add constraint "sales_order_address_address_type_check" check ("address_type" in ('billing', 'shipping'));

create table "sales_money_in" ("money_in_id" bigserial primary key, "order_id" bigint not null, "kind" text not null, "reference" varchar(255) null, "operation_key" varchar(64) null, "amount" numeric(20,4) not null, "base_amount" numeric(20,4) not null, "method" varchar(128) null, "created_at" timestamptz(6) not null default now());
create index "sales_money_in_order_id_index" on "sales_money_in" ("order_id");
alter table "sales_money_in" add constraint "sales_money_in_operation_key_unique" unique ("operation_key");
create unique index "sales_money_in_reference_once" on "sales_money_in" ("order_id", "reference") where reference is not null and kind in ('layaway_capture', 'credit_due');
alter table "sales_money_in" add constraint "sales_money_in_kind_check" check ("kind" in ('placement', 'invoice', 'layaway_capture', 'credit_due', 'credit'));

create table "pos_receipt_lost_link" ("order_id" bigint not null, "created_at" timestamptz(6) not null default now(), primary key ("order_id"));

create table "sales_invoice" ("entity_id" bigserial primary key, "order_id" bigint not null, "increment_id" varchar(50) not null, "store_id" bigint not null, "state" int not null default 1, "total_qty" numeric(14,4) not null, "subtotal" numeric(20,4) not null default 0, "subtotal_incl_tax" numeric(20,4) not null default 0, "discount_amount" numeric(20,4) not null default 0, "shipping_amount" numeric(20,4) not null default 0, "shipping_incl_tax" numeric(20,4) not null default 0, "shipping_tax_amount" numeric(20,4) not null default 0, "tax_amount" numeric(20,4) not null default 0, "discount_tax_compensation_amount" numeric(20,4) not null default 0, "grand_total" numeric(20,4) not null default 0, "base_subtotal" numeric(20,4) not null default 0, "base_subtotal_incl_tax" numeric(20,4) not null default 0, "base_discount_amount" numeric(20,4) not null default 0, "base_shipping_amount" numeric(20,4) not null default 0, "base_shipping_incl_tax" numeric(20,4) not null default 0, "base_shipping_tax_amount" numeric(20,4) not null default 0, "base_tax_amount" numeric(20,4) not null default 0, "base_discount_tax_compensation_amount" numeric(20,4) not null default 0, "base_grand_total" numeric(20,4) not null default 0, "base_total_refunded" numeric(20,4) not null default 0, "transaction_id" varchar(255) null, "is_used_for_refund" boolean not null default false, "email_sent" int null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "sales_invoice_order_id_index" on "sales_invoice" ("order_id");
create index "sales_invoice_created_at_index" on "sales_invoice" ("created_at");
create index "sales_invoice_updated_at_index" on "sales_invoice" ("updated_at");
create index "sales_invoice_state_entity_id_index" on "sales_invoice" ("state", "entity_id");
alter table "sales_invoice" add constraint "sales_invoice_increment_id_once_per_store" unique ("increment_id", "store_id");

create table "sales_invoice_item" ("entity_id" bigserial primary key, "parent_id" bigint not null, "order_item_id" bigint not null, "product_id" bigint null, "sku" varchar(255) not null, "name" varchar(255) null, "qty" numeric(14,4) not null, "price" numeric(20,4) not null default 0, "price_incl_tax" numeric(20,4) not null default 0, "row_total" numeric(20,4) not null default 0, "row_total_incl_tax" numeric(20,4) not null default 0, "tax_amount" numeric(20,4) not null default 0, "discount_amount" numeric(20,4) not null default 0, "discount_tax_compensation_amount" numeric(20,4) not null default 0, "weee_tax_applied_row_amount" numeric(20,4) not null default 0, "base_price" numeric(20,4) not null default 0, "base_price_incl_tax" numeric(20,4) not null default 0, "base_row_total" numeric(20,4) not null default 0, "base_row_total_incl_tax" numeric(20,4) not null default 0, "base_tax_amount" numeric(20,4) not null default 0, "base_discount_amount" numeric(20,4) not null default 0, "base_discount_tax_compensation_amount" numeric(20,4) not null default 0, "base_weee_tax_applied_row_amount" numeric(20,4) not null default 0);
create index "sales_invoice_item_parent_id_index" on "sales_invoice_item" ("parent_id");
create index "sales_invoice_item_order_item_id_index" on "sales_invoice_item" ("order_item_id");

create table "due_payment" ("due_payment_id" bigserial primary key, "order_id" bigint not null, "reference" varchar(255) not null, "money_in_id" bigint not null, "amount" numeric(20,4) not null, "due_before" numeric(20,4) not null, "due_after" numeric(20,4) not null, "remaining_due" numeric(20,4) not null, "paid_total" numeric(20,4) not null, "total_due" numeric(20,4) not null, "is_invoice_paid" boolean not null, "created_at" timestamptz(6) not null default clock_timestamp());
alter table "due_payment" add constraint "due_payment_money_in_id_unique" unique ("money_in_id");
alter table "due_payment" add constraint "due_payment_reference_once" unique ("order_id", "reference");
alter table "due_payment" add constraint "due_payment_adds_up" check (amount > 0 and amount <> 'NaN' and due_before - amount = due_after and due_after >= 0 and remaining_due >= 0);

create table "credit_spending" ("spending_id" bigserial primary key, "request_key" varchar(320) not null, "position" int not null, "name_tail" varchar(64) not null default new_name_tail(), "kind" text not null, "provider_code" varchar(64) not null, "customer_id" bigint null, "store_id" bigint not null, "website_id" bigint not null, "code" varchar(255) null, "base_amount" numeric(20,4) not null, "amount" numeric(20,4) not null, "points" int null, "base_currency_code" varchar(3) not null, "state" text not null default 'reserved', "order_id" bigint null, "transaction_id" varchar(255) null, "held_at" timestamptz(6) null, "message" varchar(1000) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "credit_spending_order_id_index" on "credit_spending" ("order_id");
create index "credit_spending_unclaimed" on "credit_spending" ("updated_at") where order_id is null and state in ('reserved', 'spent', 'returning');
create unique index "credit_spending_stands_once" on "credit_spending" ("request_key", "position") where state in ('reserved', 'spent');
alter table "credit_spending" add constraint "credit_spending_positive" check (base_amount > 0 and base_amount <> 'NaN' and amount > 0 and amount <> 'NaN' and (points is null or points > 0));
alter table "credit_spending" add constraint "credit_spending_claimed_when_spent" check (order_id is null or state = 'spent');
alter table "credit_spending" add constraint "credit_spending_numbered" check (state <> 'spent' or transaction_id is not null);
alter table "credit_spending" add constraint "credit_spending_kind_check" check ("kind" in ('store_credit', 'gift_card', 'reward_points'));
alter table "credit_spending" add constraint "credit_spending_state_check" check ("state" in ('reserved', 'spent', 'failed', 'returning', 'returned'));

create table "credit_refund" ("refund_id" bigserial primary key, "order_id" bigint not null, "name_tail" varchar(64) not null default new_name_tail(), "kind" text not null, "provider_code" varchar(64) not null, "code" varchar(255) null, "customer_id" bigint null, "website_id" bigint not null, "amount" numeric(20,4) not null, "base_amount" numeric(20,4) not null, "currency_code" varchar(3) not null, "base_currency_code" varchar(3) not null, "reason" varchar(1000) not null, "state" text not null default 'reserved', "request_key" varchar(128) null, "transaction_id" varchar(255) null, "remaining_balance" numeric(20,4) null, "message" varchar(1000) null, "created_at" timestamptz(6) not null default now(), "concluded_at" timestamptz(6) null);
create index "credit_refund_order_id_index" on "credit_refund" ("order_id");
create index "credit_refund_reserved" on "credit_refund" ("created_at") where state = 'reserved';
create index "credit_refund_given" on "credit_refund" ("concluded_at") where state = 'booked';
create unique index "credit_refund_request_once" on "credit_refund" ("order_id", "request_key") where request_key is not null;
alter table "credit_refund" add constraint "credit_refund_positive" check (amount > 0 and amount <> 'NaN' and base_amount >= 0);
alter table "credit_refund" add constraint "credit_refund_concluded" check ((state = 'reserved') = (concluded_at is null));
alter table "credit_refund" add constraint "credit_refund_kind_check" check ("kind" in ('store_credit', 'gift_card', 'reward_points'));
alter table "credit_refund" add constraint "credit_refund_state_check" check ("state" in ('reserved', 'booked', 'failed'));

create table "sales_creditmemo" ("entity_id" bigserial primary key, "order_id" bigint not null, "increment_id" varchar(50) not null, "store_id" bigint not null, "invoice_id" bigint null, "state" int not null default 2, "is_online" boolean not null default false, "transaction_id" varchar(255) null, "figures_from" text not null default 'collectors', "email_sent" int null, "subtotal" numeric(20,4) not null default 0, "subtotal_incl_tax" numeric(20,4) not null default 0, "discount_amount" numeric(20,4) not null default 0, "shipping_amount" numeric(20,4) not null default 0, "shipping_incl_tax" numeric(20,4) not null default 0, "shipping_tax_amount" numeric(20,4) not null default 0, "tax_amount" numeric(20,4) not null default 0, "discount_tax_compensation_amount" numeric(20,4) not null default 0, "grand_total" numeric(20,4) not null default 0, "base_subtotal" numeric(20,4) not null default 0, "base_subtotal_incl_tax" numeric(20,4) not null default 0, "base_discount_amount" numeric(20,4) not null default 0, "base_shipping_amount" numeric(20,4) not null default 0, "base_shipping_incl_tax" numeric(20,4) not null default 0, "base_shipping_tax_amount" numeric(20,4) not null default 0, "base_tax_amount" numeric(20,4) not null default 0, "base_discount_tax_compensation_amount" numeric(20,4) not null default 0, "base_grand_total" numeric(20,4) not null default 0, "adjustment" numeric(20,4) not null default 0, "adjustment_positive" numeric(20,4) not null default 0, "adjustment_negative" numeric(20,4) not null default 0, "difference" numeric(20,4) not null default 0, "base_adjustment" numeric(20,4) not null default 0, "base_adjustment_positive" numeric(20,4) not null default 0, "base_adjustment_negative" numeric(20,4) not null default 0, "base_difference" numeric(20,4) not null default 0, "base_cost" numeric(20,4) null, "refund_attempt_id" bigint null, "operation_key" varchar(64) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "sales_creditmemo_order_id_index" on "sales_creditmemo" ("order_id");
create index "sales_creditmemo_increment_id_index" on "sales_creditmemo" ("increment_id");
alter table "sales_creditmemo" add constraint "sales_creditmemo_refund_attempt_id_unique" unique ("refund_attempt_id");
alter table "sales_creditmemo" add constraint "sales_creditmemo_operation_key_unique" unique ("operation_key");
create index "sales_creditmemo_created_at_index" on "sales_creditmemo" ("created_at");
create index "sales_creditmemo_updated_at_index" on "sales_creditmemo" ("updated_at");
create index "sales_creditmemo_state_entity_id_index" on "sales_creditmemo" ("state", "entity_id");
create index "sales_creditmemo_invoice_id" on "sales_creditmemo" ("invoice_id") where invoice_id is not null;
create index "sales_creditmemo_saved" on "sales_creditmemo" ("created_at") where figures_from = 'save';
alter table "sales_creditmemo" add constraint "sales_creditmemo_increment_id_once_per_store" unique ("increment_id", "store_id");
alter table "sales_creditmemo" add constraint "sales_creditmemo_figures_from_check" check ("figures_from" in ('collectors', 'caller', 'save'));

create table "sale_return" ("return_id" bigserial primary key, "increment_id" varchar(50) not null, "order_id" bigint not null, "customer_id" bigint null, "location_id" bigint null, "provider_code" varchar(64) not null default 'builtin', "provider_reference" varchar(255) null, "status" text not null default 'pending', "is_auto_approved" boolean not null default false, "requested_refund_method" text null, "refund_method" text null, "pos_sale_id" varchar(64) null, "is_ready" boolean not null default true, "waits_for_caller" boolean not null default false, "credit_memo_id" bigint null, "refund_generation" int not null default 1, "name_tail" varchar(64) not null default new_name_tail(), "refund_legs" jsonb not null default '[]', "base_refund_total" numeric(20,4) null, "base_handback" numeric(20,4) null, "refund_difference" text null, "comment" text null, "has_tenders" boolean not null default false, "followed_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "sale_return" add constraint "sale_return_increment_id_unique" unique ("increment_id");
create index "sale_return_order_id_index" on "sale_return" ("order_id");
create index "sale_return_location_id_index" on "sale_return" ("location_id");
alter table "sale_return" add constraint "sale_return_pos_sale_id_unique" unique ("pos_sale_id");
create index "sale_return_credit_memo_id_index" on "sale_return" ("credit_memo_id");
create index "sale_return_created_at_index" on "sale_return" ("created_at");
create index "sale_return_status_return_id_index" on "sale_return" ("status", "return_id");
create index "sale_return_customer_id_index" on "sale_return" ("customer_id");
create index "sale_return_unfollowed" on "sale_return" ("return_id") where followed_at is null and status in ('pending','requested','authorized','partially_authorized','approved','received','received_partially','items_received','awaiting_refund');
create index "sale_return_over_but_followed" on "sale_return" ("return_id") where followed_at is not null and not (status in ('pending','requested','authorized','partially_authorized','approved','received','received_partially','items_received','awaiting_refund'));
create index "sale_return_not_ready" on "sale_return" ("updated_at") where is_ready = false;
create index "sale_return_open" on "sale_return" ("created_at") where status in ('pending','requested','authorized','partially_authorized','approved','received','received_partially','items_received','awaiting_refund');
alter table "sale_return" add constraint "sale_return_status_check" check ("status" in ('pending', 'requested', 'authorized', 'partially_authorized', 'approved', 'received', 'received_partially', 'items_received', 'awaiting_refund', 'resolved', 'closed', 'processed_closed', 'rejected', 'denied'));
alter table "sale_return" add constraint "sale_return_requested_refund_method_check" check ("requested_refund_method" in ('original_payment', 'cash', 'terminal', 'exchange', 'store_credit', 'manual_card'));
alter table "sale_return" add constraint "sale_return_refund_method_check" check ("refund_method" in ('original_payment', 'cash', 'terminal', 'exchange', 'store_credit', 'manual_card'));

create table "sale_return_settle_payload" ("request_id" varchar(64) not null, "return_id" bigint not null, "raw_payload" text not null, "created_at" timestamptz(6) not null default now(), primary key ("request_id"));
create index "sale_return_settle_payload_return_id_index" on "sale_return_settle_payload" ("return_id");

create table "sale_return_operation" ("operation_key" varchar(64) not null, "return_id" bigint not null, "refund_attempt_id" bigint null, "by_name" varchar(255) null, "changed_to" text null, "created_at" timestamptz(6) not null default now(), primary key ("operation_key"));
create index "sale_return_operation_return_id_index" on "sale_return_operation" ("return_id");
create index "sale_return_operation_created_at_index" on "sale_return_operation" ("created_at");

create table "sale_return_item" ("entity_id" bigserial primary key, "return_id" bigint not null, "order_item_id" bigint not null, "product_name" varchar(255) null, "product_sku" varchar(255) not null, "qty_requested" numeric(14,4) not null, "qty_authorized" numeric(14,4) null, "qty_approved" numeric(14,4) null, "qty_returned" numeric(14,4) null, "reason" varchar(255) null, "condition" varchar(64) null, "resolution" varchar(64) null, "resolution_mode" text null, "refund_method" text null, "status" text not null default 'pending', "inspected_condition" text null, "return_to_stock" boolean not null default true, "qty_received" numeric(14,4) null, "target_source_code" varchar(64) null);
create index "sale_return_item_return_id_index" on "sale_return_item" ("return_id");
create index "sale_return_item_order_item_id_index" on "sale_return_item" ("order_item_id");
alter table "sale_return_item" add constraint "sale_return_item_qty_positive" check (qty_requested > 0 and qty_requested <> 'NaN');
alter table "sale_return_item" add constraint "sale_return_item_resolution_mode_check" check ("resolution_mode" in ('refund', 'store_credit', 'exchange', 'repair', 'dispose'));
alter table "sale_return_item" add constraint "sale_return_item_refund_method_check" check ("refund_method" in ('original_payment', 'cash', 'terminal', 'exchange', 'store_credit', 'manual_card'));
alter table "sale_return_item" add constraint "sale_return_item_status_check" check ("status" in ('pending', 'requested', 'authorized', 'partially_authorized', 'approved', 'received', 'received_partially', 'items_received', 'awaiting_refund', 'resolved', 'closed', 'processed_closed', 'rejected', 'denied'));
alter table "sale_return_item" add constraint "sale_return_item_inspected_condition_check" check ("inspected_condition" in ('pristine', 'damaged', 'dispose'));

create table "sale_return_movement" ("movement_id" bigserial primary key, "return_item_id" bigint not null, "kind" text not null, "sku" varchar(255) not null, "source_code" varchar(64) null, "quantity" numeric(14,4) not null, "qty_never_shipped" numeric(14,4) not null default 0, "stock_change" numeric(14,4) not null default 0, "origin_change" numeric(14,4) not null default 0, "origin_source_code" varchar(64) null, "inspected_condition" text null, "created_at" timestamptz(6) not null default now());
alter table "sale_return_movement" add constraint "sale_return_movement_once" unique ("return_item_id", "kind");
alter table "sale_return_movement" add constraint "sale_return_movement_kind_check" check ("kind" in ('received', 'closed'));
alter table "sale_return_movement" add constraint "sale_return_movement_inspected_condition_check" check ("inspected_condition" in ('pristine', 'damaged', 'dispose'));

create table "sale_return_comment" ("comment_id" bigserial primary key, "return_id" bigint not null, "comment" text not null, "is_customer_notified" boolean not null default false, "is_visible_on_front" boolean not null default false, "status" varchar(32) null, "author" varchar(255) null, "created_at" timestamptz(6) not null default now());
create index "sale_return_comment_return_id_index" on "sale_return_comment" ("return_id");

create table "refund_attempt" ("attempt_id" bigserial primary key, "order_id" bigint not null, "return_id" bigint null, "line_id" bigint null, "line_outcome" text null, "head_attempt_id" bigint null, "payment_method" varchar(128) not null, "channel" varchar(32) not null, "state" text not null default 'started', "base_amount" numeric(20,4) not null, "amount" numeric(20,4) not null, "base_credited" numeric(20,4) not null default 0, "credited" numeric(20,4) not null default 0, "currency_code" varchar(3) not null, "payment_reference" varchar(255) null, "idempotency_key" varchar(128) not null, "name_tail" varchar(64) not null default new_name_tail(), "plan" jsonb not null, "ends_intent" boolean not null default false, "gateway_account" varchar(64) null, "call_started_at" timestamptz(6) null, "call_deadline" timestamptz(6) null, "call_ended_at" timestamptz(6) null, "first_not_found_at" timestamptz(6) null, "credit_memo_id" bigint null, "gateway_outcome" varchar(64) null, "gateway_reference" varchar(255) null, "message" text null, "resolved_by" varchar(255) null, "resolution_note" text null, "decided_at" timestamptz(6) null, "effective_at" timestamptz(6) null, "looked_again_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "refund_attempt_order_id_index" on "refund_attempt" ("order_id");
create index "refund_attempt_return_id_index" on "refund_attempt" ("return_id");
create index "refund_attempt_credit_memo_id_index" on "refund_attempt" ("credit_memo_id");
create index "refund_attempt_open" on "refund_attempt" ("created_at") where state in ('started','uncertain');
create index "refund_attempt_gateway_reference" on "refund_attempt" ("gateway_reference") where gateway_reference is not null;
create index "refund_attempt_decided_not_refunded" on "refund_attempt" ("order_id") where state = 'failed' and resolved_by is not null and call_started_at is not null;
create index "refund_attempt_decided_by_a_person" on "refund_attempt" ("updated_at") where resolved_by is not null;
create unique index "refund_attempt_one_open_per_return" on "refund_attempt" ("return_id") where state in ('started','uncertain') and line_outcome is null;
create unique index "refund_attempt_one_open_per_order_without_return" on "refund_attempt" ("order_id") where return_id is null and state in ('started','uncertain');
create unique index "refund_attempt_gateway_reference_once" on "refund_attempt" ("payment_method", "gateway_reference") where gateway_reference is not null;
alter table "refund_attempt" add constraint "refund_attempt_amount_positive" check (base_amount >= 0 and base_amount <> 'NaN' and amount > 0 and amount <> 'NaN');
alter table "refund_attempt" add constraint "refund_attempt_credited_not_negative" check (base_credited >= 0 and base_credited <> 'NaN' and credited >= 0 and credited <> 'NaN');
alter table "refund_attempt" add constraint "refund_attempt_line_outcome" check (line_outcome is null or (line_id is not null and state in ('started', 'booked')));
alter table "refund_attempt" add constraint "refund_attempt_booked_has_memo" check ((state = 'booked') = (credit_memo_id is not null));
alter table "refund_attempt" add constraint "refund_attempt_line_outcome_check" check ("line_outcome" in ('refunded'));
alter table "refund_attempt" add constraint "refund_attempt_state_check" check ("state" in ('started', 'uncertain', 'booked', 'failed'));

create table "sale_return_tender" ("tender_id" bigserial primary key, "return_id" bigint not null, "order_id" bigint not null, "line_id" bigint not null, "method" text not null, "payment_method" varchar(128) not null, "payment_id" varchar(255) null, "source" text not null, "paid" numeric(20,4) not null, "base_paid" numeric(20,4) not null, "amount" numeric(20,4) not null, "base_amount" numeric(20,4) not null, "reference" varchar(255) null, "state" text not null default 'open', "attempt_id" bigint null, "request_key" varchar(64) not null, "message" text null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "sale_return_tender_order_id_index" on "sale_return_tender" ("order_id");
create index "sale_return_tender_attempt_id_index" on "sale_return_tender" ("attempt_id");
alter table "sale_return_tender" add constraint "sale_return_tender_once" unique ("return_id", "line_id");
create unique index "sale_return_tender_reference_once" on "sale_return_tender" ("order_id", "reference") where reference is not null;
alter table "sale_return_tender" add constraint "sale_return_tender_amount_positive" check (amount > 0 and amount <> 'NaN' and base_amount >= 0 and base_amount <> 'NaN');
alter table "sale_return_tender" add constraint "sale_return_tender_method_check" check ("method" in ('original_payment', 'cash', 'terminal', 'exchange', 'store_credit', 'manual_card'));
alter table "sale_return_tender" add constraint "sale_return_tender_source_check" check ("source" in ('payments', 'pos_tenders', 'split_payments', 'order_payment', 'settle'));
alter table "sale_return_tender" add constraint "sale_return_tender_state_check" check ("state" in ('open', 'started', 'uncertain', 'declined', 'refunded', 'booked'));

create table "return_process" ("process_id" bigserial primary key, "order_id" bigint not null, "request_key" varchar(64) not null, "name_tail" varchar(64) not null default new_name_tail(), "customer_id" bigint null, "resolution" text not null, "is_online" boolean not null, "comment" text null, "author" varchar(255) null, "state" text not null default 'open', "provider_code" varchar(64) null, "stage" text not null default 'asking', "return_id" bigint null, "is_fast_track" boolean not null default false, "refund_attempt_id" bigint null, "credit_memo_id" bigint null, "refund_total" numeric(20,4) not null default 0, "store_credit_issued" numeric(20,4) not null default 0, "exchange_credit_amount" numeric(20,4) not null default 0, "refusal" jsonb null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "return_process_order_id_index" on "return_process" ("order_id");
alter table "return_process" add constraint "return_process_request_key_unique" unique ("request_key");
create index "return_process_return_id_index" on "return_process" ("return_id");
create index "return_process_refund_attempt_id_index" on "return_process" ("refund_attempt_id");
create index "return_process_credit_memo_id_index" on "return_process" ("credit_memo_id");
create index "return_process_open" on "return_process" ("updated_at") where state = 'open';
create unique index "return_process_one_open_per_return" on "return_process" ("return_id") where state = 'open';
alter table "return_process" add constraint "return_process_done_has_memo" check ((state = 'done') = (credit_memo_id is not null));
alter table "return_process" add constraint "return_process_issues_one_credit" check (store_credit_issued >= 0 and exchange_credit_amount >= 0 and store_credit_issued * exchange_credit_amount = 0);
alter table "return_process" add constraint "return_process_resolution_check" check ("resolution" in ('refund', 'store_credit', 'exchange'));
alter table "return_process" add constraint "return_process_state_check" check ("state" in ('open', 'done', 'refused', 'failed', 'unattempted'));
alter table "return_process" add constraint "return_process_stage_check" check ("stage" in ('asking', 'taken', 'passed'));

create table "return_process_item" ("entity_id" bigserial primary key, "process_id" bigint not null, "order_item_id" bigint not null, "qty" numeric(14,4) not null, "reason" varchar(255) null, "condition" varchar(64) null, "resolution" varchar(64) null);
create index "return_process_item_process_id_index" on "return_process_item" ("process_id");
create index "return_process_item_order_item_id_index" on "return_process_item" ("order_item_id");
alter table "return_process_item" add constraint "return_process_item_qty_positive" check (qty > 0 and qty <> 'NaN');

create table "refund_proposal" ("attempt_id" bigint not null, "step" text not null, "answer" text not null, "note" text not null, "by_account" varchar(64) not null, "by_name" varchar(255) not null, "by_email" varchar(255) not null, "created_at" timestamptz(6) not null default now(), primary key ("attempt_id", "step"));
alter table "refund_proposal" add constraint "refund_proposal_step_check" check ("step" in ('decision', 'open_case', 'close_case'));
alter table "refund_proposal" add constraint "refund_proposal_answer_check" check ("answer" in ('refunded', 'not_refunded', 'processor', 'cash', 'transfer', 'store_credit', 'closed'));

create table "refund_case" ("case_id" bigserial primary key, "attempt_id" bigint not null, "first_by" varchar(255) not null, "first_note" text null, "first_at" timestamptz(6) not null, "second_by" varchar(255) not null, "second_note" text not null, "amount" numeric(20,4) not null, "currency_code" varchar(3) not null, "means" text not null, "opened_at" timestamptz(6) not null default now(), "closed_by" varchar(255) null, "proof" text null, "closed_at" timestamptz(6) null);
alter table "refund_case" add constraint "refund_case_attempt_id_unique" unique ("attempt_id");
create index "refund_case_open" on "refund_case" ("opened_at") where closed_at is null;
alter table "refund_case" add constraint "refund_case_closed_with_proof" check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (proof is null));
alter table "refund_case" add constraint "refund_case_amount_positive" check (amount > 0 and amount <> 'NaN');
alter table "refund_case" add constraint "refund_case_means_check" check ("means" in ('processor', 'cash', 'transfer', 'store_credit'));

create table "layaway_cancellation" ("order_id" bigint not null, "operation_key" varchar(64) not null, "fee_percent" numeric(7,4) not null, "fee" numeric(20,4) not null, "base_fee" numeric(20,4) not null, "refund" numeric(20,4) not null, "base_refund" numeric(20,4) not null, "refund_method" varchar(128) null, "reason" text null, "credit_memo_id" bigint null, "created_at" timestamptz(6) not null default clock_timestamp(), primary key ("order_id"));
alter table "layaway_cancellation" add constraint "layaway_cancellation_credit_memo_id_unique" unique ("credit_memo_id");
alter table "layaway_cancellation" add constraint "layaway_cancellation_within_deposit" check (fee >= 0 and base_fee >= 0 and refund >= 0 and base_refund >= 0 and fee <> 'NaN' and base_fee <> 'NaN' and refund <> 'NaN' and base_refund <> 'NaN' and fee_percent >= 0 and fee_percent <= 100);

create table "sales_creditmemo_item" ("entity_id" bigserial primary key, "parent_id" bigint not null, "order_item_id" bigint not null, "product_id" bigint null, "sku" varchar(255) not null, "name" varchar(255) null, "qty" numeric(14,4) not null, "price" numeric(20,4) not null default 0, "price_incl_tax" numeric(20,4) not null default 0, "row_total" numeric(20,4) not null default 0, "row_total_incl_tax" numeric(20,4) not null default 0, "tax_amount" numeric(20,4) not null default 0, "discount_amount" numeric(20,4) not null default 0, "discount_tax_compensation_amount" numeric(20,4) not null default 0, "weee_tax_applied_row_amount" numeric(20,4) not null default 0, "base_price" numeric(20,4) not null default 0, "base_price_incl_tax" numeric(20,4) not null default 0, "base_row_total" numeric(20,4) not null default 0, "base_row_total_incl_tax" numeric(20,4) not null default 0, "base_tax_amount" numeric(20,4) not null default 0, "base_discount_amount" numeric(20,4) not null default 0, "base_discount_tax_compensation_amount" numeric(20,4) not null default 0, "base_weee_tax_applied_row_amount" numeric(20,4) not null default 0, "base_cost" numeric(20,4) null, "qty_never_shipped" numeric(14,4) null);
create index "sales_creditmemo_item_parent_id_index" on "sales_creditmemo_item" ("parent_id");
create index "sales_creditmemo_item_order_item_id_index" on "sales_creditmemo_item" ("order_item_id");

create table "store_group" ("group_id" bigserial primary key, "website_id" bigint not null, "code" varchar(32) not null, "name" varchar(255) not null, "root_category_id" bigint not null default '0', "default_store_id" bigint not null default '0');
create index "store_group_website_id_index" on "store_group" ("website_id");
alter table "store_group" add constraint "store_group_code_unique" unique ("code");

create table "pos_one_time_code" ("code_id" bigserial primary key, "email_digest" varchar(64) not null, "terminal_id" bigint not null, "website_id" bigint not null, "code_digest" varchar(64) not null, "guesses" int not null default 0, "most_guesses" int not null, "expires_at" timestamptz(6) not null, "consumed_at" timestamptz(6) null, "request_key" uuid not null, "consumer_key" uuid null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "pos_one_time_code" add constraint "pos_one_time_code_email_digest_unique" unique ("email_digest");
create index "pos_one_time_code_terminal_id_index" on "pos_one_time_code" ("terminal_id");
create index "pos_one_time_code_website_id_index" on "pos_one_time_code" ("website_id");
create index "pos_one_time_code_expires_at_index" on "pos_one_time_code" ("expires_at");
alter table "pos_one_time_code" add constraint "pos_one_time_code_guesses_within_limit" check (guesses >= 0 and guesses <= most_guesses);
alter table "pos_one_time_code" add constraint "pos_one_time_code_used_by_a_guess" check (consumed_at is null or guesses > 0);

create table "gift_card" ("card_id" bigserial primary key, "code" varchar(64) not null, "code_key" varchar(255) not null, "website_id" bigint not null, "base_currency_code" varchar(3) not null, "balance" numeric(20,4) not null default 0, "state" text not null default 'active', "expires_at" timestamptz(0) null, "disabled_at" timestamptz(6) null, "created_at" timestamptz(6) not null default clock_timestamp(), "updated_at" timestamptz(6) not null default clock_timestamp());
alter table "gift_card" add constraint "gift_card_code_key_unique" unique ("code_key");
create index "gift_card_last_four" on "gift_card" (right("code_key", 4));
alter table "gift_card" add constraint "gift_card_not_negative" check (balance >= 0 and balance <> 'NaN');
alter table "gift_card" add constraint "gift_card_state_check" check ("state" in ('active', 'disabled'));

create table "order_credit_return" ("credit_return_id" bigserial primary key, "credit_id" bigint not null, "credit_memo_id" bigint null, "base_amount" numeric(20,4) not null, "amount" numeric(20,4) not null, "points" int null, "return_key" varchar(128) not null, "issued_card_id" bigint null, "name_tail" varchar(64) not null default new_name_tail(), "state" text not null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "order_credit_return_credit_id_index" on "order_credit_return" ("credit_id");
create index "order_credit_return_credit_memo_id_index" on "order_credit_return" ("credit_memo_id");
alter table "order_credit_return" add constraint "order_credit_return_return_key_unique" unique ("return_key");
create index "order_credit_return_pending" on "order_credit_return" ("created_at") where state = 'pending';
create index "order_credit_return_created_at_index" on "order_credit_return" ("created_at");
alter table "order_credit_return" add constraint "order_credit_return_not_negative" check (base_amount >= 0 and base_amount <> 'NaN' and amount >= 0 and amount <> 'NaN' and coalesce(points, 0) >= 0);
alter table "order_credit_return" add constraint "order_credit_return_state_check" check ("state" in ('booked', 'pending'));

create table "gift_card_entry" ("entry_id" bigserial primary key, "card_id" bigint not null, "kind" text not null, "delta" numeric(20,4) not null, "balance_after" numeric(20,4) not null, "order_id" bigint null, "reason" varchar(1000) not null, "key" varchar(255) not null, "created_at" timestamptz(6) not null default clock_timestamp());
alter table "gift_card_entry" add constraint "gift_card_entry_key_unique" unique ("key");
create index "gift_card_entry_card_id_entry_id_index" on "gift_card_entry" ("card_id", "entry_id");
create index "gift_card_entry_of_order" on "gift_card_entry" ("order_id") where order_id is not null;
create index "gift_card_entry_by_hand" on "gift_card_entry" ("created_at") where order_id is null and delta > 0;
alter table "gift_card_entry" add constraint "gift_card_entry_moves_its_way" check (delta <> 0 and delta <> 'NaN' and (kind = 'adjusted' or (delta < 0) = (kind = 'spent')));
alter table "gift_card_entry" add constraint "gift_card_entry_not_negative" check (balance_after >= 0 and balance_after <> 'NaN');
alter table "gift_card_entry" add constraint "gift_card_entry_kind_check" check ("kind" in ('issued', 'spent', 'returned', 'refunded', 'adjusted'));

create table "customer" ("id" bigserial primary key, "website_id" bigint not null, "store_id" bigint not null, "group_id" bigint not null, "email" varchar(255) not null, "firstname" varchar(255) not null, "lastname" varchar(255) not null, "middlename" varchar(255) null, "prefix" varchar(255) null, "suffix" varchar(255) null, "dob" varchar(255) null, "taxvat" varchar(255) null, "confirmation" varchar(255) null, "created_in" varchar(255) null, "gender" int null, "default_billing" bigint null, "default_shipping" bigint null, "disable_auto_group_change" int not null default 0, "password_hash" varchar(255) null, "custom_attributes" jsonb not null default '{}', "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "customer_created_at_index" on "customer" ("created_at");
create index "customer_updated_at_index" on "customer" ("updated_at");
create index "customer_default_billing_index" on "customer" ("default_billing");
create index "customer_default_shipping_index" on "customer" ("default_shipping");
create index "customer_disable_auto_group_change_index" on "customer" ("disable_auto_group_change");
create index "customer_store_id_id_index" on "customer" ("store_id", "id");
create index "customer_group_id_id_index" on "customer" ("group_id", "id");
create index "customer_gender_id_order" on "customer" ("gender" nulls first, "id");
create index "customer_middlename_text" on "customer" (lower("middlename") nulls first);
create index "customer_prefix_text" on "customer" (lower("prefix") nulls first);
create index "customer_suffix_text" on "customer" (lower("suffix") nulls first);
create index "customer_dob_text" on "customer" (lower("dob") nulls first);
create index "customer_taxvat_text" on "customer" (lower("taxvat") nulls first);
create index "customer_confirmation_text" on "customer" (lower("confirmation") nulls first);
create index "customer_created_in_text" on "customer" (lower("created_in") nulls first);
create index "customer_email_text" on "customer" (lower("email"));
create index "customer_firstname_text" on "customer" (lower("firstname"));
create index "customer_lastname_text" on "customer" (lower("lastname"));
create index "customer_email_part" on "customer" using gin (("email") gin_trgm_ops);
create index "customer_firstname_part" on "customer" using gin (("firstname") gin_trgm_ops);
create index "customer_lastname_part" on "customer" using gin (("lastname") gin_trgm_ops);
create index "customer_name_part" on "customer" using gin (("firstname" || ' ' || "lastname") gin_trgm_ops);
create index "customer_name_text" on "customer" (lower("firstname" || ' ' || "lastname"));
create unique index "customer_email_once_per_website" on "customer" ("website_id", lower("email"));

create table "store_credit_wallet" ("wallet_id" bigserial primary key, "customer_id" bigint not null, "website_id" bigint not null, "amount" numeric(20,4) not null default 0, "base_currency_code" varchar(3) not null, "updated_at" timestamptz(6) not null default clock_timestamp());
alter table "store_credit_wallet" add constraint "store_credit_wallet_once_per_website" unique ("customer_id", "website_id");
alter table "store_credit_wallet" add constraint "store_credit_wallet_not_negative" check (amount >= 0 and amount <> 'NaN');

create table "store_credit_entry" ("entry_id" bigserial primary key, "wallet_id" bigint not null, "event_type" smallint not null, "delta" numeric(20,4) not null, "balance_after" numeric(20,4) not null, "reason" varchar(1000) not null, "source" varchar(255) null, "idempotency_key" varchar(255) null, "booking_key" varchar(255) null, "admin_user_id" bigint null, "api_user_type" varchar(32) null, "api_user_id" bigint null, "created_at" timestamptz(6) not null default clock_timestamp());
create index "store_credit_entry_wallet_id_entry_id_index" on "store_credit_entry" ("wallet_id", "entry_id");
create index "store_credit_entry_by_hand" on "store_credit_entry" ("created_at") where booking_key is null and delta > 0;
create unique index "store_credit_entry_key_once" on "store_credit_entry" ("wallet_id", "event_type", "idempotency_key") where idempotency_key is not null;
create unique index "store_credit_entry_booking_once" on "store_credit_entry" ("wallet_id", "event_type", "booking_key") where booking_key is not null;
alter table "store_credit_entry" add constraint "store_credit_entry_moves_its_way" check (delta <> 0 and delta <> 'NaN' and (event_type <> 1 or delta > 0) and (event_type <> 2 or delta < 0));
alter table "store_credit_entry" add constraint "store_credit_entry_not_negative" check (balance_after >= 0 and balance_after <> 'NaN');
alter table "store_credit_entry" add constraint "store_credit_entry_has_a_reason" check (btrim(reason) <> '');
alter table "store_credit_entry" add constraint "store_credit_entry_has_one_actor" check (num_nonnulls(api_user_type, api_user_id) <> 1 and not (admin_user_id is not null and api_user_id is not null));

create table "newsletter_subscriber" ("subscriber_id" bigserial primary key, "website_id" bigint not null, "store_id" bigint not null, "customer_id" bigint null, "email" varchar(255) not null, "status" int not null, "confirm_nonce" varchar(32) null, "confirm_asked_at" timestamptz(6) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "newsletter_subscriber_store_id_index" on "newsletter_subscriber" ("store_id");
create unique index "newsletter_subscriber_once_per_website" on "newsletter_subscriber" ("website_id", lower("email"));
alter table "newsletter_subscriber" add constraint "newsletter_subscriber_once_per_account" unique ("customer_id");
alter table "newsletter_subscriber" add constraint "newsletter_subscriber_status_known" check (status in (1, 2, 3, 4));
alter table "newsletter_subscriber" add constraint "newsletter_subscriber_link_of_who_wants_it" check ((confirm_nonce is null) = (confirm_asked_at is null) and (confirm_nonce is null or status in (1, 2)));

create table "quote" ("quote_id" bigserial primary key, "customer_id" bigint null, "masked_id" varchar(32) null, "website_id" bigint not null, "store_id" bigint not null, "is_active" boolean not null default true, "order_id" bigint null, "customer_email" varchar(255) null, "customer_firstname" varchar(255) null, "customer_middlename" varchar(255) null, "customer_lastname" varchar(255) null, "shipping_method" varchar(255) null, "coupon_code" varchar(255) null, "payment_method" varchar(255) null, "po_number" varchar(255) null, "uses_store_credit" boolean not null default false, "store_credit_seen" numeric(20,4) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "quote_customer_id_index" on "quote" ("customer_id");
alter table "quote" add constraint "quote_masked_id_unique" unique ("masked_id");
create index "quote_guest_idle" on "quote" ("updated_at") where is_active and customer_id is null;
create unique index "quote_one_active_per_customer" on "quote" ("customer_id", "website_id") where is_active;
alter table "quote" add constraint "quote_order_once" unique ("order_id");
alter table "quote" add constraint "quote_active_until_ordered" check (is_active = (order_id is null));
alter table "quote" add constraint "quote_credit_applied_with_figure" check (uses_store_credit = (store_credit_seen is not null));

create table "quote_item" ("item_id" bigserial primary key, "quote_id" bigint not null, "product_id" bigint not null, "parent_product_id" bigint null, "choices" jsonb null, "custom_options" jsonb not null default '[]', "qty" numeric(14,4) not null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "quote_item_product_id_index" on "quote_item" ("product_id");
create index "quote_item_parent_product_id_index" on "quote_item" ("parent_product_id");
create unique index "quote_item_once_per_product" on "quote_item" (quote_id, product_id, md5(custom_options::text)) where parent_product_id is null;
create unique index "quote_item_once_per_variant" on "quote_item" (quote_id, product_id, parent_product_id, md5(custom_options::text)) where parent_product_id is not null;
alter table "quote_item" add constraint "quote_item_holds_some" check (qty > 0 and qty <> 'NaN');
alter table "quote_item" add constraint "quote_item_chosen_of_a_parent" check ((parent_product_id is null) = (choices is null));

create table "quote_address" ("address_id" bigserial primary key, "quote_id" bigint not null, "address_type" text not null, "street" jsonb not null default '[]', "region_id" bigint null, "customer_address_id" bigint null, "same_as_billing" boolean not null default false, "save_in_address_book" boolean not null default false, "firstname" varchar(255) null, "lastname" varchar(255) null, "middlename" varchar(255) null, "prefix" varchar(255) null, "suffix" varchar(255) null, "company" varchar(255) null, "city" varchar(255) null, "region" varchar(255) null, "region_code" varchar(255) null, "postcode" varchar(255) null, "country_id" varchar(255) null, "telephone" varchar(255) null, "fax" varchar(255) null, "email" varchar(255) null, "vat_id" varchar(255) null);
alter table "quote_address" add constraint "quote_address_once_per_type" unique ("quote_id", "address_type");
alter table "quote_address" add constraint "quote_address_address_type_check" check ("address_type" in ('billing', 'shipping'));

create table "reward_points_account" ("account_id" bigserial primary key, "customer_id" bigint not null, "website_id" bigint not null, "balance" int not null default 0, "updated_at" timestamptz(6) not null default clock_timestamp());
alter table "reward_points_account" add constraint "reward_points_account_once_per_website" unique ("customer_id", "website_id");
alter table "reward_points_account" add constraint "reward_points_account_not_negative" check (balance >= 0);

create table "reward_points_owed" ("order_id" bigint not null, "account_id" bigint not null, "points" int not null, "created_at" timestamptz(6) not null default clock_timestamp(), primary key ("order_id"));
create index "reward_points_owed_account_id_index" on "reward_points_owed" ("account_id");
alter table "reward_points_owed" add constraint "reward_points_owed_above_none" check (points > 0);

create table "reward_points_entry" ("entry_id" bigserial primary key, "account_id" bigint not null, "kind" text not null, "delta" int not null, "balance_after" int not null, "order_id" bigint null, "reason" varchar(1000) not null, "key" varchar(255) not null, "created_at" timestamptz(6) not null default clock_timestamp());
alter table "reward_points_entry" add constraint "reward_points_entry_key_unique" unique ("key");
create index "reward_points_entry_account_id_entry_id_index" on "reward_points_entry" ("account_id", "entry_id");
create index "reward_points_entry_of_order" on "reward_points_entry" ("order_id") where order_id is not null;
alter table "reward_points_entry" add constraint "reward_points_entry_moves_its_way" check (delta <> 0 and (kind = 'adjusted' or (delta < 0) = (kind in ('spent', 'voided'))));
alter table "reward_points_entry" add constraint "reward_points_entry_not_negative" check (balance_after >= 0);
alter table "reward_points_entry" add constraint "reward_points_entry_kind_check" check ("kind" in ('earned', 'spent', 'returned', 'voided', 'refunded', 'given', 'adjusted'));

create table "customer_password_reset" ("customer_id" bigint not null, "digest" varchar(64) not null, "asked_at" timestamptz(6) not null, "expires_at" timestamptz(6) not null, primary key ("customer_id"));
alter table "customer_password_reset" add constraint "customer_password_reset_digest_unique" unique ("digest");
create index "customer_password_reset_expires_at_index" on "customer_password_reset" ("expires_at");
alter table "customer_password_reset" add constraint "customer_password_reset_expires" check (expires_at > asked_at);

create table "mail_outbox" ("mail_id" bigserial primary key, "mail_key" varchar(64) not null, "kind" text not null, "credit_memo_id" bigint null, "attempt_id" bigint null, "code_id" bigint null, "subscriber_id" bigint null, "customer_id" bigint null, "document_name" text null, "document_id" bigint null, "sealed" text null, "dies_at" timestamptz(6) null, "receipt_id" bigint null, "sealed_to" text null, "wish_digest" varchar(64) null, "joined_keys" text[] null, "state" text not null default 'waiting', "tries" int not null default 0, "due_at" timestamptz(6) not null default now(), "reason" varchar(64) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
alter table "mail_outbox" add constraint "mail_outbox_mail_key_unique" unique ("mail_key");
create index "mail_outbox_credit_memo_id_index" on "mail_outbox" ("credit_memo_id");
create index "mail_outbox_attempt_id_index" on "mail_outbox" ("attempt_id");
create index "mail_outbox_code_id_index" on "mail_outbox" ("code_id");
create index "mail_outbox_subscriber_id_index" on "mail_outbox" ("subscriber_id");
create index "mail_outbox_customer_id_index" on "mail_outbox" ("customer_id");
create index "mail_outbox_receipt_id_index" on "mail_outbox" ("receipt_id");
alter table "mail_outbox" add constraint "mail_outbox_wish_digest_unique" unique ("wish_digest");
create index "mail_outbox_due" on "mail_outbox" ("due_at") where state = 'waiting';
create index "mail_outbox_urgent" on "mail_outbox" ("dies_at") where state = 'waiting' and dies_at is not null;
create index "mail_outbox_concluded" on "mail_outbox" ("updated_at") where state <> 'waiting';
create index "mail_outbox_dropped" on "mail_outbox" ("updated_at") where state = 'dropped';
create unique index "mail_outbox_document_waits_once" on "mail_outbox" ("document_name", "document_id") where state = 'waiting' and document_id is not null;
alter table "mail_outbox" add constraint "mail_outbox_tells_of_something" check ((kind = 'refund') = (credit_memo_id is not null) and (kind = 'uncertain_refund') = (attempt_id is not null)
        and (kind = 'one_time_code') = (code_id is not null) and (kind = 'newsletter_confirmation') = (subscriber_id is not null)
        and (kind = 'receipt') = (receipt_id is not null) and (kind = 'document') = (document_id is not null) and (document_name is null) = (document_id is null)
        and (kind in ('password_reset', 'account_confirmation')) = (customer_id is not null));
alter table "mail_outbox" add constraint "mail_outbox_wish_waits" check (wish_digest is null or state = 'waiting');
alter table "mail_outbox" add constraint "mail_outbox_sealed_dies" check (sealed is null or dies_at is not null and state = 'waiting');
alter table "mail_outbox" add constraint "mail_outbox_kind_check" check ("kind" in ('refund', 'uncertain_refund', 'receipt', 'one_time_code', 'newsletter_confirmation', 'document', 'password_reset', 'account_confirmation', 'endpoint_paused'));
alter table "mail_outbox" add constraint "mail_outbox_document_name_check" check ("document_name" in ('order', 'invoice', 'shipment', 'creditmemo'));
alter table "mail_outbox" add constraint "mail_outbox_state_check" check ("state" in ('waiting', 'sent', 'dropped'));

create table "customer_address" ("id" bigserial primary key, "customer_id" bigint not null, "firstname" varchar(255) not null, "lastname" varchar(255) not null, "street" jsonb not null default '[]', "city" varchar(255) not null, "country_id" varchar(2) not null, "region_id" bigint null, "region" varchar(255) null, "region_code" varchar(255) null, "postcode" varchar(255) null, "telephone" varchar(255) null, "company" varchar(255) null, "fax" varchar(255) null, "middlename" varchar(255) null, "prefix" varchar(255) null, "suffix" varchar(255) null, "vat_id" varchar(255) null);
create index "customer_address_customer_id_index" on "customer_address" ("customer_id");
create index "customer_address_telephone_text" on "customer_address" (lower("telephone"));
create index "customer_address_postcode_text" on "customer_address" (lower("postcode"));
create index "customer_address_city_text" on "customer_address" (lower("city"));
create index "customer_address_region_text" on "customer_address" (lower("region"));
create index "customer_address_country_id_text" on "customer_address" (lower("country_id"));
create index "customer_address_company_text" on "customer_address" (lower("company"));

create table "customer_credit_limit" ("customer_id" bigint not null, "website_id" bigint not null, "credit_limit" numeric(20,4) not null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now(), primary key ("customer_id", "website_id"));
alter table "customer_credit_limit" add constraint "customer_credit_limit_not_negative" check (credit_limit >= 0 and credit_limit <> 'NaN');

create table "pos_contract_price" ("contract_price_id" bigserial primary key, "customer_id" bigint not null, "website_id" bigint not null, "sku" varchar(64) not null, "qty" numeric(14,4) not null, "price" numeric(20,4) not null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "pos_contract_price_website_id_index" on "pos_contract_price" ("website_id");
create unique index "pos_contract_price_once" on "pos_contract_price" ("customer_id", "website_id", lower(normalize("sku")), "qty");
alter table "pos_contract_price" add constraint "pos_contract_price_not_negative" check (price >= 0 and price <> 'NaN');
alter table "pos_contract_price" add constraint "pos_contract_price_qty_positive" check (qty > 0 and qty <> 'NaN');

create table "wishlist_item" ("wishlist_item_id" bigserial primary key, "customer_id" bigint not null, "product_id" bigint not null, "qty" numeric(14,4) not null, "description" varchar(1000) null, "created_at" timestamptz(6) not null default now(), "updated_at" timestamptz(6) not null default now());
create index "wishlist_item_product_id_index" on "wishlist_item" ("product_id");
alter table "wishlist_item" add constraint "wishlist_item_once" unique ("customer_id", "product_id");
alter table "wishlist_item" add constraint "wishlist_item_qty_positive" check (qty > 0 and qty <> 'NaN');

alter table "attribute_group" add constraint "attribute_group_attribute_set_id_foreign" foreign key ("attribute_set_id") references "attribute_set" ("attribute_set_id") on delete cascade;

alter table "attribute_in_set" add constraint "attribute_in_set_attribute_set_id_foreign" foreign key ("attribute_set_id") references "attribute_set" ("attribute_set_id") on delete cascade;
alter table "attribute_in_set" add constraint "attribute_in_set_attribute_group_id_foreign" foreign key ("attribute_group_id") references "attribute_group" ("attribute_group_id") on delete cascade;

alter table "bulk_operation" add constraint "bulk_operation_bulk_id_foreign" foreign key ("bulk_id") references "bulk" ("bulk_id") on delete cascade;

alter table "pos_held_cart" add constraint "pos_held_cart_location_id_foreign" foreign key ("location_id") references "pos_location" ("location_id") on delete restrict;

alter table "sales_order_status_state" add constraint "sales_order_status_state_status_foreign" foreign key ("status") references "sales_order_status" ("status") on delete cascade;

alter table "product" add constraint "product_attribute_set_id_foreign" foreign key ("attribute_set_id") references "attribute_set" ("attribute_set_id") on delete restrict;

alter table "fixed_product_tax" add constraint "fixed_product_tax_product_id_foreign" foreign key ("product_id") references "product" ("entity_id") on delete cascade;

alter table "content_item" add constraint "content_item_product_id_foreign" foreign key ("product_id") references "product" ("entity_id") on delete cascade;
alter table "content_item" add constraint "content_item_category_id_foreign" foreign key ("category_id") references "category" ("entity_id") on delete cascade;

alter table "content_version" add constraint "content_version_content_id_foreign" foreign key ("content_id") references "content_item" ("content_id") on delete cascade;

alter table "content_schedule" add constraint "content_schedule_content_id_foreign" foreign key ("content_id") references "content_item" ("content_id") on delete cascade;

alter table "content_publication" add constraint "content_publication_content_id_foreign" foreign key ("content_id") references "content_item" ("content_id") on update cascade on delete cascade;

alter table "content_view_text" add constraint "content_view_text_content_id_foreign" foreign key ("content_id") references "content_publication" ("content_id") on delete cascade;

alter table "product_attribute_option" add constraint "product_attribute_option_attribute_id_foreign" foreign key ("attribute_id") references "product_attribute" ("attribute_id") on delete cascade;

alter table "product_picture" add constraint "product_picture_product_id_foreign" foreign key ("product_id") references "product" ("entity_id") on delete cascade;

alter table "pos_register_report_annotation" add constraint "pos_register_report_annotation_report_id_foreign" foreign key ("report_id") references "pos_register_report" ("report_id") on delete restrict;

alter table "sales_coupon" add constraint "sales_coupon_rule_id_foreign" foreign key ("rule_id") references "sales_rule" ("rule_id") on delete cascade;

alter table "inventory_source_item" add constraint "inventory_source_item_source_code_foreign" foreign key ("source_code") references "inventory_source" ("source_code") on delete cascade;

alter table "pos_staff" add constraint "pos_staff_role_id_foreign" foreign key ("role_id") references "pos_role" ("role_id") on delete restrict;

alter table "pos_staff_location" add constraint "pos_staff_location_staff_id_foreign" foreign key ("staff_id") references "pos_staff" ("staff_id") on update cascade on delete cascade;
alter table "pos_staff_location" add constraint "pos_staff_location_location_id_foreign" foreign key ("location_id") references "pos_location" ("location_id") on update cascade on delete cascade;

alter table "inventory_reservation" add constraint "inventory_reservation_stock_id_foreign" foreign key ("stock_id") references "inventory_stock" ("stock_id") on delete restrict;

alter table "inventory_stock_source" add constraint "inventory_stock_source_stock_id_foreign" foreign key ("stock_id") references "inventory_stock" ("stock_id") on delete cascade;
alter table "inventory_stock_source" add constraint "inventory_stock_source_source_code_foreign" foreign key ("source_code") references "inventory_source" ("source_code") on delete cascade;

alter table "pos_terminal" add constraint "pos_terminal_location_id_foreign" foreign key ("location_id") references "pos_location" ("location_id") on delete set null;
alter table "pos_terminal" add constraint "pos_terminal_license_id_foreign" foreign key ("license_id") references "pos_license" ("license_id") on delete set null;

alter table "pos_terminal_heartbeat" add constraint "pos_terminal_heartbeat_terminal_id_foreign" foreign key ("terminal_id") references "pos_terminal" ("terminal_id") on update cascade on delete cascade;

alter table "pos_terminal_software" add constraint "pos_terminal_software_terminal_id_foreign" foreign key ("terminal_id") references "pos_terminal" ("terminal_id") on update cascade on delete cascade;

alter table "unique_value" add constraint "unique_value_attribute_id_foreign" foreign key ("attribute_id") references "product_attribute" ("attribute_id") on delete cascade;
alter table "unique_value" add constraint "unique_value_product_id_foreign" foreign key ("product_id") references "product" ("entity_id") on delete cascade;

alter table "webhook_delivery" add constraint "webhook_delivery_endpoint_id_foreign" foreign key ("endpoint_id") references "webhook_endpoint" ("endpoint_id") on delete cascade;
alter table "webhook_delivery" add constraint "webhook_delivery_event_id_foreign" foreign key ("event_id") references "pos_event" ("event_id") on delete cascade;

alter table "webhook_attempt" add constraint "webhook_attempt_delivery_id_foreign" foreign key ("delivery_id") references "webhook_delivery" ("delivery_id") on delete cascade;
alter table "webhook_attempt" add constraint "webhook_attempt_endpoint_id_foreign" foreign key ("endpoint_id") references "webhook_endpoint" ("endpoint_id") on delete cascade;

alter table "webhook_older_secret" add constraint "webhook_older_secret_endpoint_id_foreign" foreign key ("endpoint_id") references "webhook_endpoint" ("endpoint_id") on delete cascade;

alter table "store_view" add constraint "store_view_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete restrict;

alter table "sales_order" add constraint "sales_order_store_id_foreign" foreign key ("store_id") references "store_view" ("store_id") on delete restrict;

alter table "store_credit_promise" add constraint "store_credit_promise_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on update cascade on delete cascade;

alter table "sales_shipment" add constraint "sales_shipment_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "sales_shipment_track" add constraint "sales_shipment_track_parent_id_foreign" foreign key ("parent_id") references "sales_shipment" ("entity_id") on delete cascade;
alter table "sales_shipment_track" add constraint "sales_shipment_track_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "sales_shipment_item" add constraint "sales_shipment_item_parent_id_foreign" foreign key ("parent_id") references "sales_shipment" ("entity_id") on delete cascade;

alter table "pos_receipt" add constraint "pos_receipt_claimed_order_id_foreign" foreign key ("claimed_order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "pos_receipt_pdf" add constraint "pos_receipt_pdf_receipt_id_foreign" foreign key ("receipt_id") references "pos_receipt" ("receipt_id") on update cascade on delete cascade;

alter table "pos_receipt_item" add constraint "pos_receipt_item_receipt_id_foreign" foreign key ("receipt_id") references "pos_receipt" ("receipt_id") on delete cascade;

alter table "reward_points_due" add constraint "reward_points_due_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on update cascade on delete cascade;

alter table "sales_payment_transaction" add constraint "sales_payment_transaction_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "sales_order_payment" add constraint "sales_order_payment_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete cascade;

alter table "sales_order_item" add constraint "sales_order_item_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete cascade;
alter table "sales_order_item" add constraint "sales_order_item_parent_item_id_foreign" foreign key ("parent_item_id") references "sales_order_item" ("item_id") on delete cascade;

alter table "order_credit" add constraint "order_credit_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "sales_order_status_history" add constraint "sales_order_status_history_parent_id_foreign" foreign key ("parent_id") references "sales_order" ("entity_id") on delete cascade;

alter table "sales_order_address" add constraint "sales_order_address_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete cascade;

alter table "sales_money_in" add constraint "sales_money_in_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "pos_receipt_lost_link" add constraint "pos_receipt_lost_link_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on update cascade on delete cascade;

alter table "sales_invoice" add constraint "sales_invoice_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "sales_invoice_item" add constraint "sales_invoice_item_parent_id_foreign" foreign key ("parent_id") references "sales_invoice" ("entity_id") on delete cascade;

alter table "due_payment" add constraint "due_payment_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;
alter table "due_payment" add constraint "due_payment_money_in_id_foreign" foreign key ("money_in_id") references "sales_money_in" ("money_in_id") on delete restrict;

alter table "credit_spending" add constraint "credit_spending_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "credit_refund" add constraint "credit_refund_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "sales_creditmemo" add constraint "sales_creditmemo_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "sale_return" add constraint "sale_return_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;
alter table "sale_return" add constraint "sale_return_credit_memo_id_foreign" foreign key ("credit_memo_id") references "sales_creditmemo" ("entity_id") on delete restrict;

alter table "sale_return_settle_payload" add constraint "sale_return_settle_payload_return_id_foreign" foreign key ("return_id") references "sale_return" ("return_id") on delete cascade;

alter table "sale_return_operation" add constraint "sale_return_operation_return_id_foreign" foreign key ("return_id") references "sale_return" ("return_id") on delete cascade;

alter table "sale_return_item" add constraint "sale_return_item_return_id_foreign" foreign key ("return_id") references "sale_return" ("return_id") on delete cascade;
alter table "sale_return_item" add constraint "sale_return_item_order_item_id_foreign" foreign key ("order_item_id") references "sales_order_item" ("item_id") on delete restrict;

alter table "sale_return_movement" add constraint "sale_return_movement_return_item_id_foreign" foreign key ("return_item_id") references "sale_return_item" ("entity_id") on delete restrict;

alter table "sale_return_comment" add constraint "sale_return_comment_return_id_foreign" foreign key ("return_id") references "sale_return" ("return_id") on delete cascade;

alter table "refund_attempt" add constraint "refund_attempt_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;
alter table "refund_attempt" add constraint "refund_attempt_return_id_foreign" foreign key ("return_id") references "sale_return" ("return_id") on delete restrict;
alter table "refund_attempt" add constraint "refund_attempt_credit_memo_id_foreign" foreign key ("credit_memo_id") references "sales_creditmemo" ("entity_id") on delete restrict;

alter table "sale_return_tender" add constraint "sale_return_tender_return_id_foreign" foreign key ("return_id") references "sale_return" ("return_id") on delete restrict;
alter table "sale_return_tender" add constraint "sale_return_tender_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;
alter table "sale_return_tender" add constraint "sale_return_tender_attempt_id_foreign" foreign key ("attempt_id") references "refund_attempt" ("attempt_id") on delete restrict;

alter table "return_process" add constraint "return_process_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;
alter table "return_process" add constraint "return_process_return_id_foreign" foreign key ("return_id") references "sale_return" ("return_id") on delete restrict;
alter table "return_process" add constraint "return_process_refund_attempt_id_foreign" foreign key ("refund_attempt_id") references "refund_attempt" ("attempt_id") on delete restrict;
alter table "return_process" add constraint "return_process_credit_memo_id_foreign" foreign key ("credit_memo_id") references "sales_creditmemo" ("entity_id") on delete restrict;

alter table "return_process_item" add constraint "return_process_item_process_id_foreign" foreign key ("process_id") references "return_process" ("process_id") on delete cascade;
alter table "return_process_item" add constraint "return_process_item_order_item_id_foreign" foreign key ("order_item_id") references "sales_order_item" ("item_id") on delete restrict;

alter table "refund_proposal" add constraint "refund_proposal_attempt_id_foreign" foreign key ("attempt_id") references "refund_attempt" ("attempt_id") on delete cascade;

alter table "refund_case" add constraint "refund_case_attempt_id_foreign" foreign key ("attempt_id") references "refund_attempt" ("attempt_id") on delete restrict;

alter table "layaway_cancellation" add constraint "layaway_cancellation_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on update cascade on delete restrict;
alter table "layaway_cancellation" add constraint "layaway_cancellation_credit_memo_id_foreign" foreign key ("credit_memo_id") references "sales_creditmemo" ("entity_id") on delete restrict;

alter table "sales_creditmemo_item" add constraint "sales_creditmemo_item_parent_id_foreign" foreign key ("parent_id") references "sales_creditmemo" ("entity_id") on delete cascade;

alter table "store_group" add constraint "store_group_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete restrict;

alter table "pos_one_time_code" add constraint "pos_one_time_code_terminal_id_foreign" foreign key ("terminal_id") references "pos_terminal" ("terminal_id") on delete cascade;
alter table "pos_one_time_code" add constraint "pos_one_time_code_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete cascade;

alter table "gift_card" add constraint "gift_card_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete restrict;

alter table "order_credit_return" add constraint "order_credit_return_credit_id_foreign" foreign key ("credit_id") references "order_credit" ("credit_id") on delete restrict;
alter table "order_credit_return" add constraint "order_credit_return_credit_memo_id_foreign" foreign key ("credit_memo_id") references "sales_creditmemo" ("entity_id") on delete restrict;
alter table "order_credit_return" add constraint "order_credit_return_issued_card_id_foreign" foreign key ("issued_card_id") references "gift_card" ("card_id") on delete restrict;

alter table "gift_card_entry" add constraint "gift_card_entry_card_id_foreign" foreign key ("card_id") references "gift_card" ("card_id") on delete restrict;
alter table "gift_card_entry" add constraint "gift_card_entry_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "customer" add constraint "customer_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete restrict;
alter table "customer" add constraint "customer_store_id_foreign" foreign key ("store_id") references "store_view" ("store_id") on delete restrict;
alter table "customer" add constraint "customer_group_id_foreign" foreign key ("group_id") references "customer_group" ("id") on delete restrict;

alter table "store_credit_wallet" add constraint "store_credit_wallet_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete restrict;
alter table "store_credit_wallet" add constraint "store_credit_wallet_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete restrict;

alter table "store_credit_entry" add constraint "store_credit_entry_wallet_id_foreign" foreign key ("wallet_id") references "store_credit_wallet" ("wallet_id") on delete restrict;

alter table "newsletter_subscriber" add constraint "newsletter_subscriber_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete cascade;
alter table "newsletter_subscriber" add constraint "newsletter_subscriber_store_id_foreign" foreign key ("store_id") references "store_view" ("store_id") on delete cascade;
alter table "newsletter_subscriber" add constraint "newsletter_subscriber_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;

alter table "quote" add constraint "quote_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;
alter table "quote" add constraint "quote_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete restrict;
alter table "quote" add constraint "quote_store_id_foreign" foreign key ("store_id") references "store_view" ("store_id") on delete restrict;
alter table "quote" add constraint "quote_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "quote_item" add constraint "quote_item_quote_id_foreign" foreign key ("quote_id") references "quote" ("quote_id") on delete cascade;
alter table "quote_item" add constraint "quote_item_product_id_foreign" foreign key ("product_id") references "product" ("entity_id") on delete cascade;
alter table "quote_item" add constraint "quote_item_parent_product_id_foreign" foreign key ("parent_product_id") references "product" ("entity_id") on delete cascade;

alter table "quote_address" add constraint "quote_address_quote_id_foreign" foreign key ("quote_id") references "quote" ("quote_id") on delete cascade;

alter table "reward_points_account" add constraint "reward_points_account_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete restrict;
alter table "reward_points_account" add constraint "reward_points_account_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete restrict;

alter table "reward_points_owed" add constraint "reward_points_owed_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on update cascade on delete restrict;
alter table "reward_points_owed" add constraint "reward_points_owed_account_id_foreign" foreign key ("account_id") references "reward_points_account" ("account_id") on delete restrict;

alter table "reward_points_entry" add constraint "reward_points_entry_account_id_foreign" foreign key ("account_id") references "reward_points_account" ("account_id") on delete restrict;
alter table "reward_points_entry" add constraint "reward_points_entry_order_id_foreign" foreign key ("order_id") references "sales_order" ("entity_id") on delete restrict;

alter table "customer_password_reset" add constraint "customer_password_reset_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on update cascade on delete cascade;

alter table "mail_outbox" add constraint "mail_outbox_credit_memo_id_foreign" foreign key ("credit_memo_id") references "sales_creditmemo" ("entity_id") on delete cascade;
alter table "mail_outbox" add constraint "mail_outbox_attempt_id_foreign" foreign key ("attempt_id") references "refund_attempt" ("attempt_id") on delete cascade;
alter table "mail_outbox" add constraint "mail_outbox_code_id_foreign" foreign key ("code_id") references "pos_one_time_code" ("code_id") on delete cascade;
alter table "mail_outbox" add constraint "mail_outbox_subscriber_id_foreign" foreign key ("subscriber_id") references "newsletter_subscriber" ("subscriber_id") on delete cascade;
alter table "mail_outbox" add constraint "mail_outbox_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;
alter table "mail_outbox" add constraint "mail_outbox_receipt_id_foreign" foreign key ("receipt_id") references "pos_receipt" ("receipt_id") on delete cascade;

alter table "customer_address" add constraint "customer_address_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;

alter table "customer_credit_limit" add constraint "customer_credit_limit_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on update cascade on delete cascade;
alter table "customer_credit_limit" add constraint "customer_credit_limit_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on update cascade on delete cascade;

alter table "pos_contract_price" add constraint "pos_contract_price_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;
alter table "pos_contract_price" add constraint "pos_contract_price_website_id_foreign" foreign key ("website_id") references "website" ("website_id") on delete cascade;

alter table "wishlist_item" add constraint "wishlist_item_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;
alter table "wishlist_item" add constraint "wishlist_item_product_id_foreign" foreign key ("product_id") references "product" ("entity_id") on delete cascade;
