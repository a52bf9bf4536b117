import { z } from 'zod';
import type { EntryRow } from '../../db/store-credit/wallet.repository.ts';
import { renderMoment } from '../support/register/render-moment.ts';

/**
 * An entry of a wallet's ledger with its actor (spec 2.17). `event_type` is 1 for a credit, 2 for a debit and 3 for an
 * adjustment; `api_user` names the user of an integration's token.
 */
export const entryAnswer = z.object({
  entry_id: z.int(),
  customer_id: z.int(),
  website_id: z.int(),
  event_type: z.int(),
  delta: z.number(),
  balance_after: z.number(),
  base_currency_code: z.string(),
  reason: z.string(),
  source: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  admin_user_id: z.int().nullable(),
  api_user: z.object({ user_type: z.string(), user_id: z.int() }).nullable(),
  created_at: z.string(),
});

export const renderEntry = (row: EntryRow): z.input<typeof entryAnswer> => ({
  entry_id: Number(row.entry_id),
  customer_id: row.customer_id,
  website_id: row.website_id,
  event_type: row.event_type,
  delta: Number(row.delta),
  balance_after: Number(row.balance_after),
  base_currency_code: row.base_currency_code,
  reason: row.reason,
  source: row.source,
  idempotency_key: row.idempotency_key,
  admin_user_id: row.admin_user_id,
  api_user: apiUserOf(row),
  created_at: renderMoment(row.created_at),
});

const apiUserOf = ({ api_user_type, api_user_id }: EntryRow) =>
  api_user_type === null || api_user_id === null ? null : { user_type: api_user_type, user_id: api_user_id };
