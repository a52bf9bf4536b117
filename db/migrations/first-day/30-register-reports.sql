-- A report of a register is never changed, but for the mark that another one contradicts it.
create function pos_register_report_frozen() returns trigger language plpgsql as $$
begin
  if old.conflict and not new.conflict
    or (to_jsonb(old) - 'conflict') is distinct from (to_jsonb(new) - 'conflict') then
    raise exception 'register report % is frozen', old.report_id;
  end if;
  return null;
end $$;
create trigger pos_register_report_frozen after update on pos_register_report
  for each row execute function pos_register_report_frozen();

create function pos_register_report_annotation_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'annotation % of a register report is frozen', old.annotation_id;
end $$;
create trigger pos_register_report_annotation_frozen after update or delete on pos_register_report_annotation
  for each row execute function pos_register_report_annotation_frozen();
