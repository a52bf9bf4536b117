import { addSigningValues } from '../db/platform/access/create-signed-integration.ts';
import { Integration } from '../db/platform/access/access.entity.ts';
import { issueToken } from '../db/platform/access/issue-token.ts';
import { integrationNamed, readValidTokens, rotateTokens } from '../db/platform/access/token-life.ts';
import { invalid } from '../domain/errors.ts';
import { signingValues } from './create-integration.ts';
import { fine, columns, type Answer, type CommandContext } from './support.ts';

/**
 * `token list`: every integration with its resources, and each valid token of it: since when, when it was last used (to
 * the hour), when it ends. Tokens cannot be shown again.
 */
export async function listTokens({ em: connect }: CommandContext): Promise<Answer> {
  const em = await connect();
  const integrations = await em.find(Integration, {}, { orderBy: { integrationId: 'asc' } });
  const valid = await readValidTokens(em);
  const rows = integrations.map(({ integrationId, isActive, name, resources }) => {
    const tokens = valid.filter((token) => token.integrationId === integrationId);
    const each = tokens.map(({ tokenId, isSigning, createdAt, lastUsedAt, expiresAt }) => ({
      ...{ token_id: tokenId, signs: isSigning, created_at: inUtc(createdAt) },
      ...{ last_used_at: inUtc(lastUsedAt), expires_at: inUtc(expiresAt) },
    }));
    return {
      ...{ integration_id: integrationId, name, is_active: isActive, resources, tokens: each.length },
      last_created_at: each.at(-1)?.created_at ?? null,
      valid: each,
    };
  });
  if (rows.length === 0) return fine('No tokens.', rows);
  const table = rows.flatMap((row) => {
    const whole = [String(row.integration_id), row.name, row.is_active ? String(row.tokens) : '0 (inactive)'];
    const [first, ...others] = row.valid;
    return [
      [...whole, ...lifeOf(first), row.resources.join(', ')],
      ...others.map((token) => ['', '', '', ...lifeOf(token), '']),
    ];
  });
  const head = ['ID', 'NAME', 'VALID', 'SINCE (UTC)', 'LAST USE (UTC)', 'ENDS (UTC)', 'RESOURCES'];
  return fine(columns([head, ...table]), rows);
}

type Life = { signs: boolean; created_at: string | null; last_used_at: string | null; expires_at: string | null };

const lifeOf = (token: Life | undefined) =>
  token === undefined
    ? ['', '', '']
    : [
        `${token.created_at ?? ''}${token.signs ? ' (signs)' : ''}`,
        token.last_used_at ?? 'not yet',
        token.expires_at ?? 'when it is revoked',
      ];

/** PostgreSQL tells moments in UTC here. */
const inUtc = (moment: string | null) => moment?.slice(0, 19).replace('T', ' ') ?? null;

export interface RotateOptions {
  overlap: string;
}

/**
 * `token rotate NAME`: one more bearer token; those that are there end after the overlap. Shown once.
 *
 * Refused with 400 for another overlap than `24h`, `7d`, `30m` or `0`, or more than 30 days; 404 for an unknown
 * integration.
 */
export async function rotateToken({ em: connect }: CommandContext, input: string, options: RotateOptions) {
  const overlapSeconds = secondsOf(options.overlap);
  const em = await connect();
  const { integrationId, name } = await integrationNamed(em, input);
  const rotated = await rotateTokens(em, { integrationId, kind: 'bearer', overlapSeconds }, (tx) =>
    issueToken(tx, { userType: 'integration', userId: integrationId, expiresAt: null }),
  );
  const { made: token, ending, endsAt } = rotated;
  return fine(token, { integration_id: integrationId, name, token, ending, ends_at: endsAt });
}

/** `integration rotate NAME`: the same for one that signs its requests. */
export async function rotateIntegration(
  { em: connect, secrets }: CommandContext,
  input: string,
  options: RotateOptions,
): Promise<Answer> {
  const overlapSeconds = secondsOf(options.overlap);
  const em = await connect();
  const { integrationId, name, resources } = await integrationNamed(em, input);
  const box = secrets();
  const rotated = await rotateTokens(em, { integrationId, kind: 'signing', overlapSeconds }, (tx) =>
    addSigningValues(tx, { integrationId, box }),
  );
  const shown = signingValues(rotated.made, { name, resources });
  return fine(shown.text, { ...Object(shown.json), ending: rotated.ending, ends_at: rotated.endsAt });
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };
const longestDays = 30;

function secondsOf(overlap: string): number {
  const [, digits = '', unit = 'm'] = /^(\d{1,6})([mhd])?$/.exec(overlap) ?? [];
  const seconds = Number(digits) * (unitSeconds[unit] ?? 0);
  const isFine = digits !== '' && (overlap === '0' || overlap.endsWith(unit)) && seconds <= longestDays * 86_400;
  if (!isFine)
    throw invalid('"%1" is no overlap: write it as 24h, 7d or 30m, %2 days at most; 0 ends the others at once.', [
      overlap,
      String(longestDays),
    ]);
  return seconds;
}
