import type { Invariant } from '../invariant.ts';

/** Wallets, compared with the sum of their entries. */
export const storeCreditInvariants: readonly Invariant[] = [
  {
    id: 'I-22',
    sentence: 'No wallet has a negative balance.',
    needsQuiet: false,
    sql: `
      select wallet_id, customer_id, website_id, amount from store_credit_wallet where not (amount between 0 and 1e15)`,
  },
  {
    id: 'I-23',
    sentence: 'A wallet holds what its entries add up to.',
    needsQuiet: false,
    sql: `
      select w.wallet_id, w.customer_id, w.website_id, w.amount, coalesce(sum(e.delta), 0) as entries
      from store_credit_wallet w left join store_credit_entry e on e.wallet_id = w.wallet_id
      group by w.wallet_id having w.amount <> coalesce(sum(e.delta), 0)`,
  },
  {
    id: 'I-23b',
    sentence: 'Each entry of a wallet says what was in it then: the running sum.',
    needsQuiet: false,
    sql: `
      select entry_id, wallet_id, delta, balance_after, running_sum
      from (
        select entry_id, wallet_id, delta, balance_after,
               sum(delta) over (partition by wallet_id order by entry_id) as running_sum
        from store_credit_entry
      ) e
      where balance_after <> running_sum`,
  },
  {
    id: 'I-24',
    sentence: 'An idempotency key of a wallet is good for one entry per kind.',
    needsQuiet: false,
    sql: `
      select wallet_id, event_type, idempotency_key, booking_key, count(*) as entries
      from store_credit_entry where num_nonnulls(idempotency_key, booking_key) > 0
      group by wallet_id, event_type, idempotency_key, booking_key having count(*) > 1`,
  },
];
