import type { EntityManager } from '@mikro-orm/postgresql';
import { webhookSecretPurpose } from './events/endpoints.ts';
import { mailAddressPurpose, resetPurpose } from './mails/post-receipt-mail.ts';
import { oauthSecretsPurpose } from './platform/access/create-signed-integration.ts';
import { receiptTokenPurpose } from './receipts/save-receipt.ts';
import { codePurpose } from './self-checkout/one-time-code-secrets.ts';
import { count, definite, integer, text, texts } from './support/entity-columns.ts';
import type { KeyRing, SecretBox } from './support/secret-box.ts';
import { sql } from './support/sql.ts';
import { statement } from './support/statement.ts';
import { fiscalApiKeyPurpose, licenseTokenPurpose } from './terminals/licenses.ts';

/** The secret of a person's second factor. */
export const secondFactorPurpose = 'second factor';
/** An answer with secrets that is kept for repeats. */
export const storedAnswerPurpose = 'kept answer';
/** The arguments of a bulk's operation that waits. */
export const bulkPurpose = 'bulk operation';

/** A column whose texts `POS_SECRET_KEY` sealed. */
interface SealedColumn {
  table: string;
  /** The primary key, by which pages go on. */
  key: { column: string; type: 'bigint' | 'text' };
  /** SQL that reads it from a row `r`; absent: the column itself. */
  read?: string;
  column: string;
  /** SQL that writes `s.sealed`; absent: as it is. */
  write?: string;
  /** SQL for what it was sealed for. */
  purpose: string;
  /** Only these rows; absent: all that have a value. */
  only?: string;
}

const id = (column: string) => ({ column, type: 'bigint' }) as const;
const reply = (purpose: string) => `'${purpose}'`;

/** Every column there is; a test compares them with the tables. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'config_value', key: id('config_id'), column: 'value', purpose: 'r.path', only: 'r.is_encrypted' },
  { table: 'access_token', key: id('token_id'), column: 'sealed_secrets', purpose: reply(oauthSecretsPurpose) },
  { table: 'pos_license', key: id('license_id'), column: 'sealed_token', purpose: reply(licenseTokenPurpose) },
  { table: 'pos_license', key: id('license_id'), column: 'sealed_fiscal_api_key', purpose: reply(fiscalApiKeyPurpose) },
  { table: 'ops_second_factor', key: id('factor_id'), column: 'sealed_secret', purpose: reply(secondFactorPurpose) },
  { table: 'webhook_endpoint', key: id('endpoint_id'), column: 'sealed_secret', purpose: reply(webhookSecretPurpose) },
  {
    ...{ table: 'webhook_endpoint', key: id('endpoint_id'), column: 'sealed_former_secret' },
    purpose: reply(webhookSecretPurpose),
  },
  {
    ...{ table: 'webhook_older_secret', key: id('older_secret_id'), column: 'sealed_secret' },
    purpose: reply(webhookSecretPurpose),
  },
  { table: 'pos_receipt', key: id('receipt_id'), column: 'sealed_token', purpose: reply(receiptTokenPurpose) },
  { table: 'mail_outbox', key: id('mail_id'), column: 'sealed_to', purpose: reply(mailAddressPurpose) },
  {
    ...{ table: 'mail_outbox', key: id('mail_id'), column: 'sealed' },
    purpose: `case r.kind when 'one_time_code' then '${codePurpose}' else '${resetPurpose}' end`,
  },
  {
    ...{ table: 'keyed_request', key: { column: 'digest', type: 'text' }, column: 'answer', only: 'r.is_sealed' },
    purpose: reply(storedAnswerPurpose),
  },
  {
    ...{ table: 'bulk_operation', key: id('operation_id'), column: 'sources' },
    read: `(r.sources ->> 'sealedArguments')`,
    write: `jsonb_set(t.sources, '{sealedArguments}', to_jsonb(s.sealed))`,
    purpose: reply(bulkPurpose),
  },
];

const columns = sealedColumns.map((one) => {
  const { table, key, column, purpose, only = 'true', read = `r.${column}`, write = 's.sealed' } = one;
  const [theirs, type] = [`r.${key.column}`, key.type];
  const of = read.replaceAll(/\br\./g, 't.');
  return {
    name: `${table}.${column}`,
    page: statement({
      takes: { mark: text, after: text, limit: integer },
      gives: { rowKey: definite(text), sealed: definite(text), purpose: definite(text) },
      text: `
        select ${theirs}::text as row_key, ${read} as sealed, ${purpose} as purpose from ${table} r
        where ${only} and ${read} is not null and left(${read}, length($mark)) <> $mark
          and ($after = '' or ${theirs} > nullif($after, '')::${type})
        order by ${theirs} limit $limit`,
    }),
    /**
     * Only what is still as it was read: a write of somebody else stays. Its meaning stays, so registers pull nothing.
     */
    renew: statement({
      takes: { rowKeys: texts, formers: texts, renewed: texts },
      text: `
        update ${table} t set ${column} = ${write}
        from (select set_config('pos.seals_anew', 'yes', true)) as anew
        cross join unnest($rowKeys::text[], $formers::text[], $renewed::text[]) as s(row_key, former, sealed)
        where t.${key.column} = s.row_key::${type} and ${of} = s.former`,
    }),
    count: statement({
      takes: { mark: text },
      gives: { all: definite(count), others: definite(count) },
      text: `
        select count(*) as all, count(*) filter (where left(${read}, length($mark)) <> $mark) as others
        from ${table} r where ${only} and ${read} is not null`,
    }),
    newest: statement({
      takes: { limit: integer },
      gives: { sealed: definite(text), purpose: definite(text) },
      text: `
        select ${read} as sealed, ${purpose} as purpose from ${table} r
        where ${only} and ${read} is not null order by ${theirs} desc limit $limit`,
    }),
  };
});

/** Rows in one statement: few enough that nobody waits for it. */
const batch = 500;

export interface Resealed {
  /** Sealed with the present key now, by column. */
  renewed: Record<string, number>;
  /** Still sealed with another key, by column. */
  remaining: Record<string, number>;
  /** No key that is set opens them, by column. */
  closed: Record<string, number>;
}

/**
 * Seals with the present key what earlier keys sealed, in batches that are committed one by one: safe to stop, to
 * repeat, and beside a running shop. What changed meanwhile stays, and counts as remaining.
 *
 * @param tell after each batch: the column, and how many of it are done
 */
export async function reseal(
  em: EntityManager,
  box: KeyRing,
  tell: (column: string, done: number) => void,
): Promise<Resealed> {
  const result: Resealed = { renewed: {}, remaining: {}, closed: {} };
  for (const { name, page, renew, count: counted } of columns) {
    let after = '';
    for (;;) {
      const rows = await page.all(em, { mark: box.mark, after, limit: batch });
      const last = rows.at(-1);
      if (!last) break;
      after = last.rowKey;
      const opened = rows.flatMap((row) => withClear(box, row));
      add(result.closed, name, rows.length - opened.length);
      const written = await renew.run(em, {
        rowKeys: opened.map(({ rowKey }) => rowKey),
        formers: opened.map(({ sealed }) => sealed),
        renewed: opened.map(({ clear, purpose }) => box.seal(clear, purpose)),
      });
      add(result.renewed, name, written);
      tell(name, result.renewed[name] ?? 0);
    }
    add(result.remaining, name, (await counted.first(em, { mark: box.mark }))?.others ?? 0);
  }
  return result;
}

function add(counts: Record<string, number>, name: string, more: number): void {
  if (more > 0) counts[name] = (counts[name] ?? 0) + more;
}

interface SealedText {
  sealed: string;
  purpose: string;
}

function withClear<Row extends SealedText>(box: SecretBox, row: Row): (Row & { clear: string })[] {
  try {
    return [{ ...row, clear: box.open(row.sealed, row.purpose) }];
  } catch {
    return [];
  }
}

/** Whether a key that is set opens it. */
export const opens = (box: SecretBox, row: SealedText): boolean => withClear(box, row).length > 0;

/** How the secret key fits what is sealed. */
export interface SealedState {
  /** Looked at: the newest of each column. */
  looked: number;
  /** Columns of which some do not open. */
  closed: string[];
  /** Sealed with an earlier key, of those looked at. */
  former: number;
}

/** Opens the newest of each sealed column. */
export async function trySealed(em: EntityManager, box: KeyRing, limit = 20): Promise<SealedState> {
  const state: SealedState = { looked: 0, closed: [], former: 0 };
  for (const { name, newest } of columns) {
    const rows = await newest.all(em, { limit });
    state.looked += rows.length;
    state.former += rows.filter(({ sealed }) => !sealed.startsWith(box.mark)).length;
    if (rows.some((row) => !opens(box, row))) state.closed.push(name);
  }
  return state;
}

/**
 * Some of what is sealed with the secret key: whoever has the right key opens all of it. One statement, for each look
 * at health.
 */
export const readSealedSample = (em: EntityManager): Promise<SealedText[]> =>
  readSealed.all(em, { receipt: receiptTokenPurpose, webhook: webhookSecretPurpose });

const readSealed = sql('sealed-columns.readSealed', { gives: { sealed: definite(text) } })`
  (select path::text as purpose, value as sealed from config_value where is_encrypted and value is not null order by 1
    limit 50)
  union all (select $webhook, sealed_secret from webhook_endpoint order by endpoint_id desc limit 1)
  union all (select $receipt, sealed_token from pos_receipt order by receipt_id desc limit 1)`;
