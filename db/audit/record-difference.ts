import type { EntityManager } from '@mikro-orm/postgresql';
import { changedFields, type Facts } from '../../domain/audit.ts';
import { integer, json, definite } from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';
import type { Trail } from '../support/records.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { AuditEntry } from '../audit.ts';
import type { Change } from './record-audit.ts';
import { shopNow } from '../support/shop-clock.ts';

/** The actor of a save: an administrator by user name, or a system with its own token (spec 2.15). */
export type Author = Pick<Change, 'changeSource' | 'staffName'> & {
  /** The account, such as `admin:3`; absent: the tool on the server. */
  account?: string;
};

/** The audited records, and the columns that the trail omits: secret keys, timestamps and copies of other fields. */
const kinds = {
  location: recordOf('pos_location', 'location_id', []),
  terminal: recordOf('pos_terminal', 'terminal_id', [
    ...['released_device_identifier', 'activation_used_at', 'code_claimed_by', 'code_claimed_until'],
  ]),
  staff: recordOf('pos_staff', 'staff_id', ['email_key', 'passcode_updated_at']),
  role: recordOf('pos_role', 'role_id', []),
};

function recordOf(table: string, key: string, untold: readonly string[]) {
  const left = [key, 'created_at', 'updated_at', ...untold].map((column) => `'${column}'`);
  return statement({
    takes: { id: integer },
    gives: { facts: definite(json<Facts>()) },
    text: `select to_jsonb(r) - array[${left.join(', ')}] as facts from ${table} r where ${key} = $id for update`,
  });
}

export interface Subject {
  kind: keyof typeof kinds;
  id: number;
}

const secrets: ReadonlySet<string> = new Set(['passcode', 'activation_code']);

/** A record before a save, locked until the transaction ends; empty where it does not exist. */
export async function factsOf(em: EntityManager, { kind, id }: Subject): Promise<Facts> {
  const row = await kinds[kind].first(em, { id });
  return row ? withPlainNames(row.facts) : {};
}

/** Shows the hash of a passcode masked, under the field's usual name. */
const withPlainNames = ({ passcode_hash: passcode, ...facts }: Facts): Facts =>
  passcode === undefined ? facts : { ...facts, passcode };

/**
 * Writes one audit line per field that a save changed, in the transaction of the save (spec 4.10). The save must have
 * been flushed. Nothing for a save that changed nothing, or without an author, such as the seed's.
 *
 * @param before the result of `factsOf` before the save; empty for a new record
 */
export async function recordDifference(
  em: EntityManager,
  { subject, before, by }: { subject: Subject; before: Facts; by: Author | undefined },
): Promise<void> {
  if (!by) return;
  const after = await factsOf(em, subject);
  const changes = changedFields({ before, after, secrets });
  if (changes.length === 0) return;
  const common = {
    entityType: subject.kind,
    entityId: String(subject.id),
    entityName: nameOf(Object.keys(after).length === 0 ? before : after),
    changeSource: by.changeSource,
    staffName: by.staffName ?? null,
  };
  const createdAt = shopNow();
  await insertRows(em, [
    into(
      AuditEntry,
      changes.map((change) => ({ ...common, ...change, createdAt })),
    ),
  ]);
}

const nameOf = ({ name, first_name: firstName, last_name: lastName }: Facts) =>
  (words(name) || `${words(firstName)} ${words(lastName)}`).slice(0, 255);

const words = (value: unknown) => (typeof value === 'string' ? value : '');

/** The trail of one kind of record, for `records`. */
export const trailOf = (kind: Subject['kind']): Trail<Author> => ({
  before: (tx, id) => factsOf(tx, { kind, id }),
  note: (tx, { id, before, by }) => recordDifference(tx, { subject: { kind, id }, before, by }),
});
