import type { Invariant } from '../invariant.ts';

/** Register sessions and the chain of their closings. */
export const closingInvariants: readonly Invariant[] = [
  {
    id: 'D-01',
    sentence:
      'The closings of a drawer are numbered from 1 without a gap; each contains the digest of its document and of the ' +
      'one before.',
    needsQuiet: false,
    sql: `
      with chained as (
        select c.*, row_number() over w as place, lag(c.hash) over w as before, lead(c.number) over w is null as is_last
        from pos_closing c window w as (partition by c.drawer_id order by c.number)
      )
      select c.drawer_id, c.number, c.place, c.hash, c.previous_hash, c.before, d.last_number
      from chained c left join pos_drawer d on d.drawer_id = c.drawer_id
      where c.number <> c.place or c.previous_hash is distinct from c.before
        or c.hash <> encode(sha256(convert_to(c.document, 'UTF8')), 'hex')
        or (c.document::jsonb ->> 'number')::int <> c.number
        or c.document::jsonb ->> 'previous_hash' is distinct from c.previous_hash
        or (c.is_last and (d.last_number, d.last_hash) is distinct from (c.number, c.hash))
      limit 100`,
  },
  {
    id: 'D-02',
    sentence: 'What a closing shows of each tender is what its session moved, late movements apart.',
    needsQuiet: false,
    sql: `
      with latest as (
        select s.session_id, c.number, c.document::jsonb as document
        from pos_register_session s
        cross join lateral (select * from pos_closing where session_id = s.session_id order by number desc limit 1) c
        where s.state = 'closed'
      ), shown as (
        select session_id, t ->> 'currency' as currency, t ->> 'tender' as tender, (t ->> 'net')::numeric as net
        from latest cross join jsonb_array_elements(document -> 'tenders') t
      ), moved as (
        select m.session_id, m.currency, m.tender, sum(m.amount) as net
        from pos_movement m join latest using (session_id)
        where not m.is_late and m.kind in ('sale', 'deposit', 'payment', 'refund')
          and m.tender not in ('store_credit', 'gift_card', 'reward_points', 'exchange')
        group by 1, 2, 3
      )
      select session_id, currency, tender, s.net as shown, m.net as moved
      from shown s full join moved m using (session_id, currency, tender)
      where coalesce(s.net, 0) <> coalesce(m.net, 0)
      limit 100`,
  },
  {
    id: 'D-03',
    sentence: 'A movement that names a session of its store belongs to it; a closed session has its closing.',
    needsQuiet: false,
    sql: `
      select s.session_id, s.state, m.movement_id
      from pos_movement m join pos_register_session s on s.register_session_uuid = lower(m.register_session_uuid)
      where m.session_id is distinct from s.session_id and coalesce(m.location_id, s.location_id) = s.location_id
      union all
      select s.session_id, s.state, null from pos_register_session s
      where (s.state = 'closed') and not exists (select from pos_closing c where c.session_id = s.session_id)
      limit 100`,
  },
];
