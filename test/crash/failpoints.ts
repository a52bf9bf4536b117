import { appendFileSync, existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { ClientRequest } from 'node:http';
import { createRequire, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import {
  nameOfActivation,
  nameOfActivityTask,
  nameOfCompletion,
  nameOfRequest,
  nameOfStatement,
} from './step-names.ts';

/**
 * Loaded before a process of the crash matrix (`node --import`): names each step the process takes outside itself, and
 * kills it at the one it was armed for, before the step or once its reply has arrived and nobody has read it.
 *
 * The harness arms it through a file, read at each step: so it can be armed while the process runs, and a process that
 * was killed starts again unarmed.
 */
const folder = process.env['FAILPOINTS'] ?? '';
const processName = process.env['FAILPOINTS_PROCESS'] ?? '';
const armFile = join(folder, `${processName}.arm.json`);
const traceFile = join(folder, `${processName}.trace`);
const firedFile = join(folder, `${processName}.fired`);
const compiledFile = join(folder, `${processName}.compiled`);

interface Arm {
  id: string;
  at?: { name: string; nth: number; variant: 'before' | 'after' };
}

let arm: Arm | undefined;
let counts = new Map<string, number>();

function armed(): Arm | undefined {
  if (!existsSync(armFile)) return undefined;
  const read = JSON.parse(readFileSync(armFile, 'utf8')) as Arm;
  if (read.id !== arm?.id) counts = new Map();
  if (!arm) keepCompiled();
  arm = read;
  return read;
}

/**
 * Compiled code is written down at an orderly end, which no process here has; half of what a start costs is compiling.
 */
function keepCompiled(): void {
  if (existsSync(compiledFile)) return;
  writeFileSync(compiledFile, '');
  flushCompileCache();
}

/** Counts the step, and dies here when it is the one; the answer tells how its reply is to be met. */
function enter(name: string): { leave: () => void } {
  const now = armed();
  if (!now) return { leave: () => undefined };
  const nth = (counts.get(name) ?? 0) + 1;
  counts.set(name, nth);
  appendFileSync(traceFile, `${JSON.stringify({ name, nth })}\n`);
  const isIt = now.at?.name === name && now.at.nth === nth;
  if (isIt && now.at?.variant === 'before') die();
  return { leave: () => (isIt && now.at?.variant === 'after' ? die() : undefined) };
}

function die(): never {
  unlinkSync(armFile);
  writeFileSync(firedFile, 'fired');
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

/** Runs a call that answers by promise or by callback as one step. */
function asStep(name: string, given: unknown[], call: (given: unknown[]) => unknown): unknown {
  const { leave } = enter(name);
  const last = given.at(-1);
  if (typeof last === 'function') {
    const heard = (...answer: unknown[]): unknown => {
      leave();
      return Reflect.apply(last, undefined, answer);
    };
    return call([...given.slice(0, -1), heard]);
  }
  const answer = call(given);
  if (!(answer instanceof Promise)) return answer;
  return answer.finally(leave);
}

type Method = (this: unknown, ...given: unknown[]) => unknown;
type Named = (given: unknown[], self: object) => string | undefined;

/** Puts a step around a method; where it has no name the call is not one. */
function wrap(owner: object, key: string, nameOf: Named): void {
  const original = Reflect.get(owner, key) as Method;
  Reflect.set(owner, key, function wrapped(this: object, ...given: unknown[]): unknown {
    // Nobody asks for names before it is armed.
    const name = armed() ? nameOf(given, this) : undefined;
    const call = (now: unknown[]): unknown => Reflect.apply(original, this, now);
    return name === undefined ? call(given) : asStep(name, given, call);
  });
}

const requireHere = createRequire(import.meta.url);

function wrapDatabase(): void {
  const { Client } = requireHere('pg') as { Client: { prototype: object } };
  const lastOf = new WeakMap<object, string>();
  wrap(Client.prototype, 'query', ([config], self) => {
    const text = typeof config === 'string' ? config : Reflect.get(Object(config), 'text');
    // The ORM asks once whether its database is there; no flow does.
    if (typeof text !== 'string' || text.includes('from pg_database')) return undefined;
    const name = nameOfStatement(text, lastOf.get(self));
    lastOf.set(self, name);
    return name;
  });
}

function wrapHttp(): void {
  wrap(globalThis, 'fetch', ([input, options]) =>
    nameOfRequest(String(input), Reflect.get(Object(options), 'method') as string | undefined),
  );
}

/** What leaves through Node's own client: the call counts from its last byte to the head of its answer. */
function wrapRequests(): void {
  const original = Reflect.get(ClientRequest.prototype, 'end') as Method;
  Reflect.set(ClientRequest.prototype, 'end', function ended(this: ClientRequest, ...given: unknown[]): unknown {
    if (armed()) {
      const { leave } = enter(nameOfRequest(`http://${this.host}${this.path}`, this.method));
      this.prependOnceListener('response', leave);
      // A browser is spoken to over a socket that begins as a request. Where nobody waits for one, Node ends the
      // request.
      if (this.hasHeader('upgrade')) this.prependOnceListener('upgrade', leave);
      this.prependOnceListener('error', leave);
    }
    return Reflect.apply(original, this, given);
  });
}

function wrapMail(): void {
  wrap((requireHere('nodemailer/lib/mailer') as { prototype: object }).prototype, 'sendMail', () => 'mail: send');
}

function wrapTemporalClient(): void {
  const fromClient = createRequire(requireHere.resolve('@temporalio/client'));
  const { Client } = fromClient('@grpc/grpc-js') as { Client: { prototype: object } };
  wrap(Client.prototype, 'makeUnaryRequest', ([path]) => `Temporal: ${String(path).split('/').at(-1)}`);
}

/** A task that arrives is a step without a before: only what becomes of it once it is taken can differ. */
function wrapPoll(native: object, key: string, nameOf: (task: Buffer) => string | undefined): void {
  const original = Reflect.get(native, key) as (...given: unknown[]) => Promise<Buffer>;
  Reflect.set(native, key, async (...given: unknown[]) => {
    const task = await original(...given);
    const name = armed() ? nameOf(task) : undefined;
    if (name !== undefined) enter(name).leave();
    return task;
  });
}

function wrapTemporalWorker(): void {
  const fromWorker = createRequire(requireHere.resolve('@temporalio/worker'));
  const { native } = fromWorker('@temporalio/core-bridge') as { native: object };
  wrapPoll(native, 'workerPollWorkflowActivation', nameOfActivation);
  wrapPoll(native, 'workerPollActivityTask', nameOfActivityTask);
  wrap(native, 'workerCompleteWorkflowActivation', ([, buffer]) => nameOfCompletion(buffer as Buffer));
  wrap(native, 'workerCompleteActivityTask', () => 'Temporal: complete activity');
}

wrapDatabase();
wrapHttp();
wrapRequests();
wrapMail();
wrapTemporalClient();
if (processName === 'worker') wrapTemporalWorker();
