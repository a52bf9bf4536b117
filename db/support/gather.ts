import type { EntityManager } from '@mikro-orm/postgresql';
import { perDatabase } from './per-database.ts';

/**
 * Whether PostgreSQL itself refused a statement: because of its data, a rule, a deadlock. Another statement may
 * succeed. False where the server is away or shutting down, because the next statement would fail, too.
 */
function isRefusedStatement(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|53|57)/.test(code);
}

/** How questions are combined. */
export interface Gathering<Question, Answer> {
  /** One statement that commits before it returns. Answers in the order of the questions. */
  ask: (em: EntityManager, questions: readonly Question[]) => Promise<readonly Answer[]>;
  /** The most that one statement takes. */
  atMost: number;
  /** Questions of one name are never in one statement: the second leaves with the next. Absent: any may be together. */
  apart?: (question: Question) => string;
}

/** The longest time a question waits for others while earlier ones are asked. */
const longestWaitMs = 5;
/** One slow statement must not delay all others; most of the pool stays free for other work. */
const mostInFlight = 4;

/**
 * Asks the database one question, together with all questions that wait at that moment in this process (group
 * commit).
 *
 * The window follows the load: a single question is asked at once; others are sent when the previous statement
 * returns or after 5 ms. Waiting for one turn of the event loop would cost a single question more than a look at its
 * row. An answer arrives after the commit of its statement. When the database refuses a statement with several
 * questions, each is asked again separately, so that one cannot make the others fail. Asking must therefore be safe to
 * repeat.
 *
 * Nothing is kept, so a server that drains only needs to wait for the open answers.
 */
export function gathered<Question, Answer>(gathering: Gathering<Question, Answer>) {
  const queueOf = perDatabase((em) => createQueue(em, gathering));
  return (em: EntityManager, question: Question): Promise<Answer> => queueOf(em)(question);
}

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

function createQueue<Question, Answer>(em: EntityManager, { ask, atMost, apart }: Gathering<Question, Answer>) {
  let waiting: Waiting<Question, Answer>[] = [];
  let inFlight = 0;
  let departure: NodeJS.Timeout | undefined;
  let isLeaving = false;
  /** The last question was alone, so the next one is likely to be. */
  let isQuiet = true;

  /** After all questions that arrive in this turn of the event loop; where it is quiet, in this call. */
  const leave = () => {
    if (isLeaving) return;
    isLeaving = true;
    if (isQuiet) queueMicrotask(depart);
    else setImmediate(depart);
  };
  const nextBatch = () => {
    const names = new Set<string>();
    const batch = new Set<Waiting<Question, Answer>>();
    for (const one of waiting) {
      if (batch.size === atMost) break;
      const name = apart?.(one.question);
      if (name !== undefined && names.has(name)) continue;
      if (name !== undefined) names.add(name);
      batch.add(one);
    }
    return batch;
  };
  const depart = () => {
    isLeaving = false;
    clearTimeout(departure);
    departure = undefined;
    if (waiting.length === 0 || inFlight === mostInFlight) return;
    const batch = nextBatch();
    waiting = waiting.filter((one) => !batch.has(one));
    isQuiet = batch.size === 1;
    inFlight++;
    void settle(em, ask, [...batch]).finally(() => {
      inFlight--;
      if (waiting.length > 0) leave();
    });
    if (waiting.length > 0) wait();
  };
  const wait = () => {
    if (inFlight === 0 || waiting.length >= atMost) leave();
    else departure ??= setTimeout(depart, longestWaitMs);
  };

  return (question: Question) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      wait();
    });
}

/** Never throws: every answer and every error goes to its caller. */
async function settle<Question, Answer>(
  em: EntityManager,
  ask: Gathering<Question, Answer>['ask'],
  batch: readonly Waiting<Question, Answer>[],
): Promise<void> {
  try {
    const answers = await ask(
      em,
      batch.map(({ question }) => question),
    );
    for (const [at, answer] of answers.entries()) batch[at]?.resolve(answer);
  } catch (error) {
    if (batch.length > 1 && isRefusedStatement(error)) {
      await Promise.all(batch.map((one) => settle(em, ask, [one])));
    } else for (const { reject } of batch) reject(error);
  }
}
