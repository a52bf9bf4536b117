import { Duplex } from 'node:stream';
import type { PoolClient } from 'pg';
import { DatabaseTrouble, sqlStates, troubleNamed } from './database-trouble.ts';

/** A statement's own limits, beside what the driver reads. */
export interface AnswerTimeout {
  /** After so long without an answer the connection is given up. */
  answerWithinMs?: number;
}

/**
 * Watches every statement of a connection. When the answer takes too long, the server does not respond and cannot end
 * the statement itself. Then the connection is destroyed on our side, so that its pool never lends it again.
 */
export function guardClient(client: PoolClient, silenceMs: number): void {
  const send = client.query.bind(client);
  const sendWatched = (given: readonly unknown[], done: Done): unknown => {
    const [asked] = given;
    const sent: Sent = { text: textOf(asked), status: client.getTransactionStatus() };
    const patienceMs = Math.min(silenceMs, hasteOf(asked));
    const watch = setTimeout(() => breakOff(client, patienceMs), patienceMs);
    const tell = (error: unknown, result: unknown) => {
      clearTimeout(watch);
      done(error && asTrouble(error, sent), result);
    };
    return Reflect.apply(send, client, [...given, tell]);
  };
  const sendGuarded = (...given: unknown[]): unknown => {
    const done: unknown = given.at(-1);
    if (typeof done === 'function')
      return sendWatched(given.slice(0, -1), (...answer) => Reflect.apply(done, undefined, answer));
    // With a callback: the driver's own promise keeps each query alive until a full collection.
    return new Promise((resolve, reject) => {
      sendWatched(given, (error, result) => (error ? reject(error) : resolve(result)));
    });
  };
  Object.assign(client, { query: sendGuarded });
}

type Done = (error: unknown, result: unknown) => void;

interface Sent {
  text: string;
  /** `I`: outside a transaction, where each statement commits by itself. */
  status: unknown;
}

const textOf = (asked: unknown) => {
  const text: unknown = typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'text') : asked;
  return typeof text === 'string' ? text : '';
};

function hasteOf(asked: unknown): number {
  const within: unknown =
    typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'answerWithinMs') : undefined;
  return typeof within === 'number' ? within : Infinity;
}

function breakOff(client: PoolClient, afterMs: number): void {
  const { stream }: { stream: unknown } = Object(Reflect.get(client, 'connection'));
  const silence = new DatabaseTrouble(sqlStates.connectionLost, `the database did not answer for ${afterMs} ms`);
  if (stream instanceof Duplex) stream.destroy(silence);
}

/** The messages of the driver and the system for a lost connection. */
const lostWords =
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|Query read timeout)/;

function isLost(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code');
  return troubleNamed(code) === 'away' || lostWords.test(error.message) || /^E[A-Z]+$/.test(String(code));
}

/** Turns a lost connection into a failure, by whether a commit could have happened; every other error is unchanged. */
function asTrouble(error: unknown, sent: Sent): unknown {
  if (!(error instanceof Error) || !isLost(error)) return error;
  return mayHaveCommitted(sent)
    ? new DatabaseTrouble(sqlStates.outcomeUnknown, 'the connection was lost while a change was committed', {
        cause: error,
      })
    : new DatabaseTrouble(sqlStates.connectionLost, 'the connection to the database was lost', { cause: error });
}

const commit = /^\s*commit\b/i;
const reads = /^(?:select|show|set|begin|start|rollback)/i;
const writes = /\b(?:insert|update|delete|merge)\b/i;

/** The text after its leading comments. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  for (let end = rest.indexOf('*/'); rest.startsWith('/*') && end >= 0; end = rest.indexOf('*/'))
    rest = rest.slice(end + 2).trimStart();
  return rest;
}

function readsOnly(text: string): boolean {
  const statement = withoutComments(text);
  return reads.test(statement) || (/^with\b/i.test(statement) && !writes.test(statement));
}

const mayHaveCommitted = ({ text, status }: Sent) =>
  commit.test(text) || ((status === 'I' || status === null) && text !== '' && !readsOnly(text));
