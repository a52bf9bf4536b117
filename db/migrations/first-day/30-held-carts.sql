-- Whatever is written of a cart, who took it up and when stays: else one cart could be sold twice. Only its claimant
-- frees it, by parking it anew after the claim.
create function pos_held_cart_stays_claimed() returns trigger language plpgsql as $$
begin
  if new.recalled_at is null and new.parked_at > old.recalled_at and (
    new.staff_id = old.recalled_by_staff_id or new.terminal_id = old.recalled_at_terminal_id
    or (new.staff_id is null and new.terminal_id is null and new.parked_by_caller = old.recalled_by_caller)) then
    return new;
  end if;
  raise exception 'held cart % is claimed', old.held_cart_id;
end $$;
create trigger pos_held_cart_stays_claimed before update on pos_held_cart
  for each row when (old.recalled_at is not null and (new.recalled_at, new.recalled_by_staff_id) is distinct from
    (old.recalled_at, old.recalled_by_staff_id))
  execute function pos_held_cart_stays_claimed();
