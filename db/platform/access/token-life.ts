import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { idIn } from '../../../domain/ids.ts';
import { definite, momentText, orNull } from '../../support/entity-columns.ts';
import { perDatabase } from '../../support/per-database.ts';
import { sql } from '../../support/sql.ts';
import { joined, transact } from '../../support/transact.ts';

/** Digests of tokens that were used and whose row does not say so for this hour. */
const usesOf = perDatabase(() => new Set<string>());

/** More wait for nothing: they are noted at their next use. */
const mostUses = 10_000;

/** Remembers that a token was used; `keepTokenUses` writes it down. A request waits for nothing here. */
export function noteTokenUse(em: EntityManager, digest: string): void {
  const uses = usesOf(em);
  if (uses.size < mostUses) uses.add(digest);
}

const writeEveryMs = 60_000;

/**
 * Writes down which tokens were used: one statement a minute for all of them, and each row at most once an hour,
 * however many processes there are. What a crash loses is noted at the next use.
 *
 * @returns ends it, and writes the rest
 */
export function keepTokenUses(em: () => EntityManager): () => Promise<void> {
  let underWay = Promise.resolve();
  const write = () => {
    underWay = underWay.then(() => writeTokenUses(em())).catch(() => undefined);
    return underWay;
  };
  const timer = setInterval(() => void write(), writeEveryMs).unref();
  return () => {
    clearInterval(timer);
    return write();
  };
}

/** Writes down now what is not written yet; without a use there is no statement. */
export async function writeTokenUses(em: EntityManager): Promise<void> {
  const uses = usesOf(em);
  if (uses.size === 0) return;
  const digests = [...uses];
  uses.clear();
  await note.run(em, { digests });
}

/** For SQL: whether the row `t` says nothing of this hour. */
export const isUnnoted = `(t.last_used_at is null or t.last_used_at < now() - interval '1 hour')`;

const note = sql('token-life.note')`
  update access_token t set last_used_at = now() where t.digest = any($digests::text[]) and ${isUnnoted}`;

/** An integration by its name, or by its id. Refused with 404 where there is none. */
export async function integrationNamed(em: EntityManager, input: string) {
  const found = await named.first(em, { name: input, id: idIn(input) ?? 0 });
  if (!found) throw notFound('No integration is known as %1.', [input]);
  return found;
}

const named = sql('token-life.named')`
  select integration_id, name, resources from integration where name = $name or integration_id = $id
  order by name <> $name limit 1`;

/** How an integration proves who it is. */
export type TokenKind = 'bearer' | 'signing';

/**
 * Gives an integration one more token, and lets those that it has end after the overlap: until then both open the same.
 * A token that ends sooner by itself still does.
 *
 * @param make issues the new one, in the same transaction
 * @returns what was made, and how many end when
 */
export const rotateTokens = <Made>(
  em: EntityManager,
  parts: { integrationId: number; kind: TokenKind; overlapSeconds: number },
  make: (em: EntityManager) => Promise<Made>,
): Promise<{ made: Made; ending: number; endsAt: string | null }> =>
  transact(em, async (tx) => {
    const { integrationId, kind, overlapSeconds } = parts;
    const ended = await endLater.all(tx, { integrationId, isSigning: kind === 'signing', overlapSeconds });
    return { made: await make(joined(tx)), ending: ended.length, endsAt: ended[0]?.endsAt ?? null };
  });

const endLater = sql('token-life.endLater')`
  update access_token t set expires_at = least(t.expires_at, now() + make_interval(secs => $overlapSeconds))
  where t.user_type = 'integration' and t.user_id = $integrationId and t.revoked_at is null
    and (t.consumer_key is not null) = $isSigning and (t.expires_at is null or t.expires_at > now())
  returning to_char(t.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as ends_at`;

/** A token of an integration that still opens something. */
export const readValidTokens = (em: EntityManager) => valid.all(em);

const valid = sql('token-life.valid', {
  gives: { createdAt: definite(momentText), lastUsedAt: orNull(momentText), expiresAt: orNull(momentText) },
})`
  select t.token_id, t.user_id as integration_id, t.consumer_key is not null as is_signing,
    t.created_at, t.last_used_at, t.expires_at
  from access_token t
  where t.user_type = 'integration' and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
  order by t.user_id, t.token_id`;
