import { Integration } from '../db/platform/access/access.entity.ts';
import { integer, orNull, definite, text } from '../db/support/entity-columns.ts';
import { of } from '../db/support/rows.ts';
import { statement } from '../db/support/statement.ts';
import { fine, columns, type Answer, type CommandContext } from './support.ts';

const readIntegrations = statement({
  takes: {},
  gives: {
    ...of(Integration, 'integrationId', 'name', 'isActive', 'resources'),
    tokens: definite(integer),
    lastCreatedAt: orNull(text),
  },
  text: `
    select i.integration_id, i.name, i.is_active, i.resources, count(t.token_id)::int as tokens,
      to_char(max(t.created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as last_created_at
    from integration i
    left join access_token t on t.user_type = 'integration' and t.user_id = i.integration_id and t.revoked_at is null
    group by i.integration_id order by i.integration_id`,
});

/** `token list`: every integration with its resources and its number of valid tokens. Tokens cannot be shown again. */
export async function listTokens({ em }: CommandContext): Promise<Answer> {
  const integrations = await readIntegrations.all(await em());
  const rows = integrations.map(({ integrationId, isActive, lastCreatedAt, name, resources, tokens }) => ({
    ...{ integration_id: integrationId, name, is_active: isActive, resources, tokens, last_created_at: lastCreatedAt },
  }));
  const table = rows.map((row) => [
    String(row.integration_id),
    row.name,
    row.is_active ? String(row.tokens) : '0 (inactive)',
    row.last_created_at ?? '',
    row.resources.join(', '),
  ]);
  return fine(
    rows.length === 0 ? 'No tokens.' : columns([['ID', 'NAME', 'VALID', 'NEWEST (UTC)', 'RESOURCES'], ...table]),
    rows,
  );
}
