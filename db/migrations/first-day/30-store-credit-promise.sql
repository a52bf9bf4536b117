-- Store credit that a settled refund promised and no one issued yet: what the page, the metric and the ledger checks
-- list. Worked out again at the end of every transaction that settles with store credit or issues credit, under the
-- order's lock, so no way of settling or issuing can forget it.

-- What is still promised for one order, in coins of its currency, and since when; no row: nothing. Credit that was
-- issued before the first such memo was for another one; the second is for clocks that differ.
create function store_credit_promised(of_order bigint)
returns table (amount numeric, currency_code text, since timestamptz) language sql stable as $$
  select p.amount - c.amount, p.currency_code, p.since
  from (
    select min(m.created_at) as since, min(o.order_currency_code) as currency_code,
      sum(trunc(m.grand_total - coalesce(l.legs, 0), scale(in_coins(m.grand_total, o.order_currency_code)))) as amount
    from sales_creditmemo m
    join sales_order o on o.entity_id = m.order_id
    left join lateral (
      select sum(r.amount) as legs from order_credit_return r join order_credit k on k.credit_id = r.credit_id
      where r.credit_memo_id = m.entity_id and k.applies_as = 'tender') l on true
    where m.order_id = of_order and m.state <> 3 and m.figures_from <> 'save' and not m.is_online
      and m.refund_attempt_id is null and coalesce(
        (select min(coalesce(refund_method, 'cash')) from sale_return where credit_memo_id = m.entity_id),
        (select min(resolution) from return_process where credit_memo_id = m.entity_id)) = 'store_credit'
    having count(*) > 0
  ) p
  cross join lateral (
    select coalesce(sum(f.amount), 0) as amount from credit_refund f
    where f.order_id = of_order and f.state <> 'failed'
      and coalesce(f.concluded_at, 'infinity') >= p.since - interval '1 second'
  ) c
  where p.amount > c.amount
$$;

create function store_credit_promise_kept() returns trigger language plpgsql as $$
begin
  delete from store_credit_promise where order_id = new.order_id;
  insert into store_credit_promise (order_id, amount, currency_code, since)
  select new.order_id, amount, currency_code, since from store_credit_promised(new.order_id);
  return null;
end $$;

create constraint trigger store_credit_promise_of_return after insert or update on sale_return
  deferrable initially deferred for each row
  when (new.credit_memo_id is not null and new.refund_method = 'store_credit')
  execute function store_credit_promise_kept();
create constraint trigger store_credit_promise_of_process after insert or update on return_process
  deferrable initially deferred for each row
  when (new.credit_memo_id is not null and new.resolution = 'store_credit')
  execute function store_credit_promise_kept();
create constraint trigger store_credit_promise_of_issue after insert or update on credit_refund
  deferrable initially deferred for each row execute function store_credit_promise_kept();
