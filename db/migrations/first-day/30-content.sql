-- Tells whoever keeps answers about content that they are no longer true. Deferred: the one row is locked last and
-- for no longer than the commit takes, so nobody waits for it who holds what another needs.
create function content_revision_count() returns trigger language plpgsql as $$
declare
  this_transaction bigint := pg_current_xact_id()::text::bigint;
begin
  insert into content_revision (revision_id, revision, counted_in) values (1, 1, this_transaction)
  on conflict (revision_id) do update set revision = content_revision.revision + 1, counted_in = this_transaction
    where content_revision.counted_in <> this_transaction;
  return null;
end $$;
create constraint trigger content_item_changes_content after update or delete on content_item
  deferrable initially deferred for each row execute function content_revision_count();
create constraint trigger content_publication_changes_content after insert or update or delete on content_publication
  deferrable initially deferred for each row execute function content_revision_count();
create constraint trigger content_view_text_changes_content after insert or update or delete on content_view_text
  deferrable initially deferred for each row execute function content_revision_count();

-- What decides whether the texts of a product or a category are shown, and by which name a product's are asked for.
create constraint trigger product_changes_content after update on product
  deferrable initially deferred for each row
  when ((old.sku, old.status, old.website_ids) is distinct from (new.sku, new.status, new.website_ids))
  execute function content_revision_count();
create constraint trigger category_changes_content after update on category
  deferrable initially deferred for each row
  when ((old.is_active, old.view_words) is distinct from (new.is_active, new.view_words))
  execute function content_revision_count();
