import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const mostLetters = 120;

/**
 * A statement by what it does: the ORM writes values into the text, so they go, and so does the list of what is read.
 * A commit is told by the statement before it.
 */
export function nameOfStatement(text: string, before?: string): string {
  const plain = withoutColumns(text.replaceAll(/\s+/g, ' ').trim())
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll('"', '')
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/\$\d+/g, '?')
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, 'n')
    .replaceAll(/\((?:\?|n|null|true|false|, ?)+\)/g, '(?)')
    .replace(/^(insert into \S+) .*/, '$1')
    .replace(/^(update \S+(?: as \S+)?) set .* where /, '$1 where ');
  if (/^(?:commit|rollback)/.test(plain))
    return `SQL: ${plain} after ${(before ?? '').replace(/^SQL: /, '')}`.slice(0, mostLetters);
  return `SQL: ${plain}`.slice(0, mostLetters);
}

/** What a select reads from, and where; what it reads would fill the line. */
function withoutColumns(text: string): string {
  if (!/^select /i.test(text)) return text;
  for (let at = 0, depth = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')') depth--;
    if (depth === 0 && /^ from /i.test(text.slice(at, at + 6))) return `select${text.slice(at)}`;
  }
  return text;
}

/** A call over HTTP by method and path, without ids. */
export function nameOfRequest(url: string, method = 'GET'): string {
  const { pathname, search } = new URL(url);
  const path = pathname.replaceAll(/[^/]*\d{3,}[^/]*/g, 'ID');
  return `gateway: ${method} ${path}${search === '' ? '' : '?…'}`;
}

interface Decoder {
  decode: (buffer: Uint8Array) => unknown;
  decodeDelimited: (buffer: Uint8Array) => unknown;
}

interface Core {
  workflow_activation: { WorkflowActivation: Decoder };
  workflow_completion: { WorkflowActivationCompletion: Decoder };
  activity_task: { ActivityTask: Decoder };
}

let core: Core | undefined;
function decoders(): Core {
  core ??= (createRequire(requireHere.resolve('@temporalio/worker'))('@temporalio/proto') as { coresdk: Core }).coresdk;
  return core;
}

interface Activation {
  jobs?: { variant?: string; initializeWorkflow?: { workflowType?: string } }[];
}

/** A workflow task by what it brings; evictions are the worker's own affair. */
export function nameOfActivation(task: Buffer): string | undefined {
  const { jobs = [] } = decoders().workflow_activation.WorkflowActivation.decode(task) as Activation;
  const kinds = jobs.map((job) => job.initializeWorkflow?.workflowType ?? job.variant ?? '?');
  return kinds.every((kind) => kind === 'removeFromCache')
    ? undefined
    : `Temporal: workflow task with ${kinds.join(', ')}`.slice(0, mostLetters);
}

interface ActivityTask {
  start?: { activityType?: string; isLocal?: boolean };
}

export function nameOfActivityTask(task: Buffer): string | undefined {
  const { start } = decoders().activity_task.ActivityTask.decode(task) as ActivityTask;
  return start ? `Temporal: ${start.isLocal ? 'local ' : ''}activity ${start.activityType} taken` : undefined;
}

interface Completion {
  successful?: { commands?: { variant?: string }[] };
  failed?: object;
}

/** What a workflow decided; an answer without commands is no step. */
export function nameOfCompletion(completion: Buffer): string | undefined {
  const { successful, failed } = decoders().workflow_completion.WorkflowActivationCompletion.decodeDelimited(
    completion,
  ) as Completion;
  if (failed) return 'Temporal: workflow task failed';
  const commands = successful?.commands ?? [];
  return commands.length === 0
    ? undefined
    : `Temporal: workflow decides ${commands.map(({ variant }) => variant).join(', ')}`.slice(0, mostLetters);
}
