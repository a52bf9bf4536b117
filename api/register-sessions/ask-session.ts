import { hash } from 'node:crypto';
import type { UpdateDefinition } from '@temporalio/common';
import { z } from 'zod';
import { refuseOtherBody } from '../../db/register-sessions/find-session.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { toPlain, type Amount } from '../../domain/money.ts';
import type { Outcome as Answered } from '../../domain/outcome.ts';
import { currencyOpenedTwice } from '../../domain/refusals/register-sessions.ts';
import { bodySealedFor, type FollowedSession } from '../../domain/register-sessions/session-words.ts';
import { refuseFinerThanCoin } from '../../domain/whole-coins.ts';
import {
  registerSessionId,
  type RegisterSessionInput,
  type SessionRequest,
} from '../../workflows/register-sessions/messages.ts';
import { posStatus } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { askOrRead } from '../temporal/ask-or-read.ts';
import { currencyCode, money, payload, text } from '../wire/schemas.ts';

/** A UUID that a register makes. Stored in lower case. */
const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const uuid = text(36).refine((value) => pattern.test(value));

/** A UUID in a path finds nothing where it is none. */
export const uuidParam = z.object({ registerSessionUuid: text(64) });
export const named = (value: string) => value.toLowerCase();

const mostDenominations = 50;
const mostPieces = 1_000_000;
const denominations = z
  .record(z.string().max(16), z.int().min(0).max(mostPieces))
  .refine((pieces) => Object.keys(pieces).length <= mostDenominations);

const notNegative = money.refine((value) => value >= 0);
export const mostLines = 100;

export const countedLine = { currency: currencyCode, counted: notNegative, denominations: denominations.optional() };
export const openingLine = payload(countedLine);

/**
 * A line with its currency in upper case, and its amount as decimal text.
 *
 * Refused with: 400 an amount that is finer than its coin.
 */
export function storedLine(line: {
  currency: string;
  counted: Amount;
  denominations?: Record<string, number> | undefined;
}) {
  const code = line.currency.toUpperCase();
  refuseFinerThanCoin(line.counted, code);
  const { denominations: pieces } = line;
  return { currency: code, counted: toPlain(line.counted), ...(pieces === undefined ? {} : { denominations: pieces }) };
}

/** Refused with: 400 a line that is there twice. */
export function refuseTwice(keys: readonly string[]): void {
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw currencyOpenedTwice([twice]);
}

/** Tells a repeat of a body from another one. */
export const hashOf = (body: object): string => hash('sha256', canonicalJson(body));

interface SessionQuestion<Row> {
  registerSessionUuid: string;
  update: UpdateDefinition<Answered<FollowedSession>, [SessionRequest]>;
  /** Sealed on its way: neither amounts nor comments are in a history. */
  body: object;
  read: () => Promise<Row>;
  /** Whether the row has what was asked for. */
  isDone: (row: Row) => boolean;
}

/**
 * Asks a session's workflow for a change, and reads what is committed.
 *
 * Refused with: the refusals of the verb · 503 as `askOrRead`.
 */
export const askSession = <Row>(
  context: Pick<RouteContext, 'em' | 'workflows' | 'operation' | 'caller' | 'requestId' | 'providers'>,
  { registerSessionUuid, update, body, ...question }: SessionQuestion<Row>,
): Promise<Row> =>
  askOrRead<Answered<FollowedSession>, { sealedBody: string }, RegisterSessionInput, Row>(context, {
    ...question,
    update,
    workflow: 'registerSessionWorkflow',
    id: registerSessionId(registerSessionUuid),
    input: { registerSessionUuid },
    summary: `Register session ${registerSessionUuid}`,
    searchAttributes: [{ key: posStatus, value: 'loading' }],
    request: { sealedBody: context.providers.secrets.seal(JSON.stringify(body), bodySealedFor) },
  });

interface OncePerUuid<Row> extends Pick<SessionQuestion<Row>, 'registerSessionUuid' | 'update' | 'body'> {
  /** Of what the request makes. */
  uuid: string;
  /** Tells a repeat from another body. */
  requestHash: string;
  /** What was made under the UUID; null: nothing yet. */
  find: () => Promise<Row | null>;
}

/**
 * Has a session's workflow make something under a UUID, once: a repeat gets what is stored.
 *
 * Refused with: 422 another body · the refusals of the verb · 503 as `askOrRead`.
 */
export async function makeOnce<Row extends { requestHash: string }>(
  context: Parameters<typeof askSession>[0] & Pick<RouteContext, 'setHeader'>,
  { uuid: ofRow, requestHash, find, body, ...question }: OncePerUuid<Row>,
): Promise<Row> {
  const stored = await find();
  if (stored) {
    refuseOtherBody(ofRow, stored, requestHash);
    markReplayed(context);
    return stored;
  }
  const made = await askSession(context, {
    ...question,
    body: { ...body, requestHash },
    read: find,
    isDone: (row) => row?.requestHash === requestHash,
  });
  if (!made) throw new Error(`the workflow of a register session made nothing under ${ofRow}`);
  return made;
}
