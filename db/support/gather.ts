import type { EntityManager } from '@mikro-orm/postgresql';
import { isRefusedStatement } from './is-refused-statement.ts';
import { perDatabase } from './per-database.ts';

/** How questions are asked together. */
export interface Gathering<Question, Answer> {
  /** One statement that commits before it returns. Answers in the order of the questions. */
  ask: (em: EntityManager, questions: readonly Question[]) => Promise<readonly Answer[]>;
  /** The most that one statement takes. */
  atMost: number;
}

/** So long a question waits for others at most, while earlier ones are being asked. */
const longestWaitMs = 5;
/** One statement that is stuck must not hold up all others; most of the pool stays free for everything else. */
const mostInFlight = 4;

/**
 * Asks the database one question, together with all those that wait at the same moment in this process (group commit).
 *
 * The window follows the load: a question that is alone is asked at once, the others leave when the statement before
 * them returns or after 5 ms. An answer comes after the commit of its own statement. When the database refuses a
 * statement of several questions, each is asked once more by itself, so that one cannot spoil the others'; asking must
 * therefore be safe to repeat.
 *
 * Nothing is kept: whoever waits for answers, such as a server that drains, has waited for everything.
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

function createQueue<Question, Answer>(em: EntityManager, { ask, atMost }: Gathering<Question, Answer>) {
  let waiting: Waiting<Question, Answer>[] = [];
  let inFlight = 0;
  let departure: NodeJS.Timeout | undefined;
  let isLeaving = false;

  /** After what else arrived in this turn of the loop. */
  const leave = () => {
    if (isLeaving) return;
    isLeaving = true;
    setImmediate(depart);
  };
  const depart = () => {
    isLeaving = false;
    clearTimeout(departure);
    departure = undefined;
    if (waiting.length === 0 || inFlight === mostInFlight) return;
    const batch = waiting.slice(0, atMost);
    waiting = waiting.slice(atMost);
    inFlight++;
    void settle(em, ask, batch).finally(() => {
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

/** Never fails itself: every answer and every error goes to whoever asked. */
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
