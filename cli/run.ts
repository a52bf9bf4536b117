import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CommanderError } from 'commander';
import { createSecretBox } from '../db/support/secret-box.ts';
import { sql } from '../db/support/sql.ts';
import { PosError } from '../domain/errors.ts';
import { fillIn } from '../domain/fill-in.ts';
import { createLog } from '../providers/log.ts';
import { addressOf, parseSettings, required, WrongSetting, type Settings } from '../providers/settings.ts';
import { createProgram } from './program.ts';
import { readReadyFile, wrongSettings, type Answer, type CommandContext, type ReadyFile } from './support.ts';

/** An error with the system's code for a timeout. */
class TookTooLong extends Error {
  code = 'ETIMEDOUT';
}

/** @returns the result of `work`, or throws `ETIMEDOUT` when that takes longer; the work itself continues */
async function within<Result>(ms: number, who: string, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`${who} said nothing for ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** All dependencies of the commands, connected at their first use and closed together. */
interface Connected extends CommandContext {
  close(): Promise<void>;
}

/** A database that accepts a connection and then stays silent counts as away. */
const patienceMs = 5_000;

/** Opens no connection by itself. Heavy modules are loaded by the commands that need them. */
function connect({ settings, ready }: OperatorSettings): Connected {
  const closers: (() => Promise<unknown>)[] = [];
  let orm: Promise<MikroORM> | undefined;

  const openOrm = async (): Promise<MikroORM> => {
    const { createOrm } = await import('../db/orm.ts');
    const opened = await createOrm(required(settings, 'DATABASE_URL'));
    closers.push(() => opened.close());
    return opened;
  };
  const reach = async (): Promise<MikroORM> => {
    const opened = await openOrm();
    await within(patienceMs, 'the database', greet.first(opened.em.fork()));
    return opened;
  };
  /** What could not be reached is tried anew the next time. */
  const em = async (): Promise<EntityManager> => {
    orm ??= reach().catch((error: unknown) => {
      orm = undefined;
      throw error;
    });
    return (await orm).em.fork();
  };

  return {
    settings,
    ready,
    em,
    async workflows() {
      const { connectWorkflows } = await import('../providers/temporal/connect-workflows.ts');
      const log = createLog('pos', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
      const line = await connectWorkflows({ settings, log });
      closers.push(() => line.close());
      return line.workflows;
    },
    secrets: () =>
      createSecretBox(
        settings.POS_SECRET_KEY ?? storedKey(settings.POS_DATA_DIR) ?? required(settings, 'POS_SECRET_KEY'),
        settings.POS_SECRET_KEY_OLD,
      ),
    now: () => new Date(),
    async close() {
      const closed = Promise.allSettled(closers.map((closeOne) => closeOne()));
      await within(patienceMs, 'what is to be closed', closed).catch(() => undefined);
    },
  };
}

/** The key that a local service generated. */
function storedKey(dataDir: string): string | undefined {
  const file = join(dataDir, 'secret-key');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

const greet = sql('run.greet')`select 1 as one`;

/** PostgreSQL: no such table, no such column. */
const lacking = new Set(['42P01', '42703']);
/** 08001: see `database-trouble.ts`. */
const unreachable = new Set(['08001', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

/** The error of a failed command, in one sentence for standard error. */
export function failureSentence(error: unknown, databaseUrl: string | undefined): string {
  if (error instanceof PosError) return oneLine(fillIn(error.message, error.parameters));
  const code = codeOf(error) ?? '';
  if (lacking.has(code)) {
    return `The database at ${addressOf(databaseUrl)} is not that of this release; run npm run migrate.`;
  }
  if (unreachable.has(code)) {
    return `The database at ${addressOf(databaseUrl)} does not answer; start it, or correct DATABASE_URL.`;
  }
  return oneLine(error instanceof Error ? error.message : String(error));
}

const oneLine = (text: string) => text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ').trim();

function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0]);
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}

interface OperatorSettings {
  settings: Settings;
  /** Set when the addresses come from a running `npm start`. */
  ready: ReadyFile | undefined;
}

/**
 * The settings of the operator's tool, from the environment. Where that names no other database, they are completed
 * by the running `npm start`: its addresses, and the queue its worker polls.
 *
 * Another database is never combined with the local Temporal: a message for one shop must not reach another.
 */
export function operatorSettings(environment: Record<string, string | undefined>): OperatorSettings {
  const input = parseSettings(environment);
  const ready = readReadyFile(input.POS_DATA_DIR);
  if (!ready || (input.DATABASE_URL !== undefined && input.DATABASE_URL !== ready.database)) {
    return { settings: input, ready: undefined };
  }
  const local = {
    ...ready.settings,
    DATABASE_URL: ready.database,
    TEMPORAL_ADDRESS: ready.temporal,
    TEMPORAL_NAMESPACE: ready.temporalNamespace,
    TEMPORAL_UI_URL: ready.temporalUi ?? undefined,
    GATEWAY_SIMULATOR_URL: ready.gateway ?? undefined,
    LICENSE_SERVICE_URL: ready.license ?? undefined,
  };
  const own = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  return { settings: parseSettings({ ...local, ...own }), ready };
}

export interface Streams {
  out: (text: string) => void;
  err: (text: string) => void;
}

/**
 * One call of the operator's tool: the answer on `out`, everything else on `err`.
 *
 * @returns the exit code: 0 when it succeeded and found nothing wrong, otherwise 1
 */
export async function run(
  words: readonly string[],
  environment: Record<string, string | undefined>,
  { out, err }: Streams,
): Promise<number> {
  let connected: Connected | undefined;
  let exitCode = 0;
  const print = (answer: Answer) => {
    out(`${program.opts()['json'] === true ? JSON.stringify(answer.json, null, 2) : answer.text}\n`);
    exitCode = answer.isFine ? 0 : 1;
  };
  const program = createProgram({
    async answer(command) {
      connected = connect(operatorSettings(environment));
      print(await command(connected));
    },
  });
  program.configureOutput({ writeOut: out, writeErr: err });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof WrongSetting && words.includes('doctor')) print(wrongSettings(error.message));
    else err(`${sentenceOf(error, connected?.settings.DATABASE_URL)}\n`);
    exitCode = 1;
  } finally {
    await connected?.close();
  }
  return exitCode;
}

function sentenceOf(error: unknown, databaseUrl: string | undefined): string {
  if (!(error instanceof CommanderError)) return failureSentence(error, databaseUrl);
  if (error.code === 'commander.help') return 'Say what to do: npm run pos -- --help lists the commands.';
  return `${error.message.replace(/^error: /, '')}; npm run pos -- --help lists the commands.`;
}
