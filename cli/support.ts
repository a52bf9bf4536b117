import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UpdateDefinition } from '@temporalio/common';
import { z } from 'zod';
import { lookAgain } from '../api/temporal/look-again.ts';
import { askAttempt } from '../api/temporal/ask-attempt.ts';
import { amountText } from '../books/explain/english-story.ts';
import type { Author } from '../db/audit/record-difference.ts';
import { readGatewaySettings } from '../db/configuration/read-gateway-settings.ts';
import { findRefundAttempt, type RefundAttemptRecord } from '../db/refunds/refund-attempt.repository.ts';

import type { KeyRing, SecretBox } from '../db/support/secret-box.ts';
import { sql } from '../db/support/sql.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { idIn } from '../domain/ids.ts';
import { everyResource, isKnownResource, likelyResources, registerResources } from '../domain/platform/access.ts';
import { isDecided, type RefundAttemptState, type RefundResolution } from '../domain/refunds/refund-finding.ts';
import { broken, spoken, type Check } from '../providers/doctor/check.ts';
import { loadExtensions } from '../providers/extensions.ts';
import { createGateways } from '../providers/gateways/gateways.ts';
import type { PaidOrder } from '../providers/gateways/payment-gateway.ts';
import { createPasswordHasher } from '../providers/password-hasher.ts';
import type { Settings } from '../providers/settings.ts';
import type { Workflows } from '../providers/temporal/workflows.ts';

/** The answer of a command, for people and for scripts. */
export interface Answer {
  /** For people, without a line feed at the end. */
  text: string;
  /** For scripts: `--json`. */
  json: unknown;
  /** False when the command found something wrong: the exit code shows it. */
  isFine: boolean;
}

export const fine = (text: string, json: unknown): Answer => ({ text, json, isFine: true });

/** No gateway is called here, so no secret is needed to see what can be looked up. */
const closedBox: SecretBox = { seal: () => '', open: () => '', digest: () => '', digests: () => [] };
const nowhere = 'http://gateway.invalid';

/** Whether the gateway of a payment answers look-ups; false where none is configured for it any more. */
export async function canLookUp(em: EntityManager, payment: PaidOrder, settings: Settings): Promise<boolean> {
  const gateways = createGateways({
    simulatorUrl: nowhere,
    loadSettings: (storeId) => readGatewaySettings(em, storeId, closedBox),
    others: (await loadExtensions(settings)).gateways,
  });
  return (await gateways.for(payment))?.canLookUp ?? false;
}

/** Rows under one another, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[], gap = '  '): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

/** The dependencies of every command. Connections are opened at their first use. */
export interface CommandContext {
  settings: Settings;
  ready: ReadyFile | undefined;
  em: () => Promise<EntityManager>;
  workflows: () => Promise<Workflows>;
  /** Encrypts and decrypts provider keys. */
  secrets: () => KeyRing;
  now: () => Date;
}

export interface AttemptMessage<Request> {
  attemptId: number;
  update: UpdateDefinition<RefundAttemptState, [Request]>;
  request: Request;
  /** Asks the gateway again, also where a person decided that nothing went back. */
  looksAgain?: boolean;
  /** See `askAttempt`. */
  decision?: RefundResolution['resolution'];
}

/**
 * Sends an attempt's workflow the same message as the routes do, waits, and shows the row's new state. A decided
 * attempt is shown without a message.
 *
 * Refused with 404 when there is no such attempt, 503 when Temporal does not answer.
 */
export async function decideAttempt<Request>(
  { em: connect, workflows }: CommandContext,
  message: AttemptMessage<Request>,
): Promise<Answer> {
  const em = await connect();
  const before = await findRefundAttempt(em, message.attemptId);
  if (message.looksAgain === true && before.state === 'failed' && before.resolvedBy !== null) {
    const query = { workflows: await workflows(), requestId: `cli-${randomUUID()}`, attemptId: before.attemptId };
    const { message: answer } = await lookAgain(query);
    const after = await findRefundAttempt(em, before.attemptId);
    return fine(`${describeDecision(after)}${answer === undefined ? '' : ` ${answer}`}`, after);
  }
  if (isDecided(before.state)) return fine(`It was decided before. ${describeDecision(before)}`, before);
  const after = await askAttempt({ em, workflows: await workflows(), requestId: `cli-${randomUUID()}`, ...message });
  return fine(describeDecision(after), after);
}

function describeDecision(attempt: RefundAttemptRecord): string {
  const { attemptId, state, returnId, resolvedBy, effectiveAt } = attempt;
  const amount = amountText(String(attempt.amount), attempt.currencyCode);
  const lastAnswerText = attempt.message === null ? '' : ` Last answer: ${attempt.message}`;
  switch (state) {
    case 'booked':
      return `Attempt ${attemptId} is booked: ${amount} went back, credit memo ${attempt.creditMemoIncrementId ?? '?'}.`;
    case 'failed':
      return `Attempt ${attemptId} failed: no money went back.${returnId === null ? '' : ` Return ${returnId} can be settled again.`}`;
    case 'started':
    case 'uncertain':
      return effectiveAt === null
        ? `Attempt ${attemptId} is still ${state}.${lastAnswerText}`
        : `Attempt ${attemptId} is decided by ${resolvedBy}: no money went back. That takes effect at ${effectiveAt} UTC.`;
  }
}

const marks: Record<Check['state'], string> = { ok: 'ok', warning: 'warning', broken: 'BROKEN' };

/** One line per check; it fails when one is broken. */
export function diagnosis(made: readonly Check[]): Answer {
  const checks = made.map((check) => spoken(check));
  const isFine = checks.every(({ state }) => state !== 'broken');
  const lines = checks.map(({ state, name, says, fix }) => [
    marks[state],
    name,
    fix === undefined ? says : `${says} → ${fix}`,
  ]);
  return { text: columns(lines), json: { ok: isFine, checks }, isFine };
}

/** For invalid settings, with which nothing else can be checked. */
export const wrongSettings = (sentence: string): Answer =>
  diagnosis([broken('settings', sentence, (w) => w.correctInEnvironment)]);

/** The scope's code on the command line; neither: the whole shop. */
export interface ScopeOptions {
  website?: string;
  store?: string;
}

export interface FoundScope {
  scope: 'default' | 'websites' | 'stores';
  scopeId: number;
  websiteId: number;
  storeId: number;
}

/** The scope of a settings command. 404 for an unknown code, 400 when both are given. */
export async function findScope(em: EntityManager, { website, store }: ScopeOptions): Promise<FoundScope> {
  if (website !== undefined && store !== undefined) throw invalid('Name a website or a store view, not both.');
  if (website !== undefined) {
    const row = await findWebsite.first(em, { code: website });
    if (!row) throw notFound('No website has the code %1.', [website]);
    return { scope: 'websites', scopeId: row.websiteId, websiteId: row.websiteId, storeId: -1 };
  }
  if (store !== undefined) {
    const row = await findView.first(em, { code: store });
    if (!row) throw notFound('No store view has the code %1.', [store]);
    return { scope: 'stores', scopeId: row.storeId, websiteId: row.websiteId, storeId: row.storeId };
  }
  return { scope: 'default', scopeId: 0, websiteId: -1, storeId: -1 };
}

const findWebsite = sql('support.findWebsite')`select website_id from website where code = $code`;

const findView = sql('support.findView')`select store_id, website_id from store_view where code = $code`;

/** The hashes of passcodes, made beside the main thread and before any transaction. */
export async function hashPasscodes(passcodes: readonly string[]): Promise<string[]> {
  const hasher = createPasswordHasher();
  try {
    const hashes: string[] = [];
    for (const passcode of passcodes) hashes.push(await hasher.hash(passcode));
    return hashes;
  } finally {
    await hasher.close();
  }
}

/** The operator's name for the audit trail: an administrator, by the system's user name (spec 2.15). */
export function operator(): Author {
  return { changeSource: 'admin', staffName: `${systemName()} (pos)` };
}

/** In a container a user may have a number without a name. */
function systemName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Both sides of a terminal, so that a test can replace them. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

const here: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Reads a password: typed without echo, or the first line of standard input from a script. It is never an argument of
 * the command, because others could read that. Refused with 400 when the input is empty.
 */
export async function readPassword({ input, output }: Terminal = here): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (input.isTTY === true) output.write('Password: ');
  const reader = createInterface({ input, output: silent, terminal: input.isTTY === true });
  try {
    for await (const line of reader) {
      if (input.isTTY === true) output.write('\n');
      return line;
    }
  } finally {
    reader.close();
  }
  throw invalid('No password came on the standard input.');
}

const readySchema = z.object({
  api: z.string(),
  temporal: z.string(),
  temporalNamespace: z.string().default('pos'),
  temporalUi: z.string().nullish(),
  gateway: z.string().nullish(),
  license: z.string().nullish(),
  mail: z.string().nullish(),
  database: z.string(),
  settings: z.record(z.string(), z.string()).default({}),
});

/** The addresses of all parts of a running `npm start`. */
export type ReadyFile = z.output<typeof readySchema>;

/** The file that `npm start` writes once every part answers; undefined when none runs here. */
export function readReadyFile(dataDir: string): ReadyFile | undefined {
  const file = join(dataDir, 'ready.json');
  if (!existsSync(file)) return undefined;
  const parsed = readySchema.safeParse(parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : undefined;
}

/** A file that is just being written counts as missing. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const resourcePattern = /^\w+::\w+$/;

/** Names for common sets of resources: everything, and a register's needs. */
const bundles: Record<string, readonly string[]> = { all: [everyResource], register: registerResources };

/**
 * `all`, `register`, or a list such as `Vendor_Pos::locations,Vendor_Pos::receipts`. Refused with 400: any other form,
 * a resource that no route asks for.
 */
export function resourcesOf(acl: string): readonly string[] {
  const bundle = bundles[acl];
  if (bundle) return bundle;
  const resources = acl.split(',').map((resource) => resource.trim());
  const wrong = resources.find((resource) => !resourcePattern.test(resource));
  if (wrong !== undefined) throw invalid('"%1" is not a resource; write it as Vendor_Pos::locations.', [wrong]);
  const unknown = resources.find((resource) => !isKnownResource(resource));
  if (unknown !== undefined)
    throw invalid('No route asks for the resource "%1". Perhaps it is one of: %2.', [
      unknown,
      likelyResources(unknown),
    ]);
  return resources;
}

/** The rows that commands take by id, with the prefix of each id: an attempt's is that of its workflow. */
const things = {
  'refund-attempt': 'a refund attempt',
  webhook: 'an endpoint',
  terminal: 'a terminal',
  spending: 'a spending of credit',
  customer: 'a customer',
  staff: 'a member of staff',
} as const;

/**
 * A row's id as an operator types it, with or without its prefix: `7`, `refund-attempt-7`.
 *
 * Refused with 400 for anything else: `return-7` is another row with the same number.
 */
export function rowId(input: string, thing: keyof typeof things): number {
  const text = input.trim();
  const digits = text.startsWith(`${thing}-`) ? text.slice(thing.length + 1) : text;
  const id = idIn(digits);
  if (id === undefined) throw invalid('"%1" is not the id of %2.', [input, things[thing]]);
  return id;
}
