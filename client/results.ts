import { fillIn } from '../domain/fill-in.ts';
import type { ErrorParameters } from '../domain/errors.ts';
import type { ParametersOf } from './shapes.ts';

/**
 * What becomes of a request, as a value: nothing is thrown for what a shop must expect. `switch` over `kind`, and the
 * compiler names the case that is missing.
 */
export type Result<Value, Code extends string = string> =
  | Done<Value>
  | Refused<Exclude<Code, HandledCode>>
  | ('gateway_uncertain' extends Code ? Uncertain : never)
  | ('idempotency_answer_not_kept' extends Code ? AnswerNotKept : never)
  | SignedOut
  | Unanswered;

/** It was carried out, now or by an earlier request: `isReplay`. */
export interface Done<Value> {
  kind: 'done';
  value: Value;
  isReplay: boolean;
  requestId: string;
}

/**
 * Nothing was done, and the same request is refused again. Show `sentence`. `outcome` is the code to branch on, and
 * says what `parameters` are; null where the sentence is all there is.
 */
export type Refused<Code extends string = string> = {
  kind: 'refused';
  status: number;
  /** For people, with the values in place. */
  sentence: string;
  requestId: string;
} & Reason<Code>;

/** Of a route whose codes are known, each code with its own parameters. */
type Reason<Code extends string> = string extends Code
  ? { outcome: string | null; parameters: ErrorParameters | undefined }
  : Coded<Code> | { outcome: null; parameters: ErrorParameters | undefined };
type Coded<Code extends string> = Code extends string ? { outcome: Code; parameters: ParametersOf<Code> } : never;

/** 409 `gateway_uncertain`: nobody knows yet whether the card was refunded. Hand no cash out; read the return later. */
export interface Uncertain {
  kind: 'uncertain';
  outcome: 'gateway_uncertain';
  sentence: string;
  /** The return to read again; null where the same request must be sent again. */
  returnId: number | null;
  refundAttemptId: number | null;
  requestId: string;
}

/**
 * 409 `idempotency_answer_not_kept`: an earlier try carried the request out, and what it answered is gone. It is done:
 * never do it anew under another key. Read the record for what the answer would have told.
 */
export interface AnswerNotKept {
  kind: 'answer_not_kept';
  outcome: 'idempotency_answer_not_kept';
  sentence: string;
  requestId: string;
}

/** The token is over, revoked, or lacks the right: they are told alike. Nothing was done. */
export interface SignedOut {
  kind: 'signed_out';
  sentence: string;
  requestId: string;
}

/** No answer in time: it may be booked, or not. The same request with the same key tells it later. */
export interface Unanswered {
  kind: 'unanswered';
  /** What the last try heard, such as `503` or `The connection broke.` */
  because: string;
  key: string | null;
}

/** These codes never reach a caller as a refusal: each has a result of its own, or the request is sent again. */
type HandledCode =
  | 'gateway_uncertain'
  | 'idempotency_answer_not_kept'
  | 'idempotency_key_in_use'
  | 'sale_return_being_created'
  | 'return_not_ready';

/** What one try heard. `again` says that the same request must be sent again, and when at the earliest. */
export type Heard = Done<unknown> | Refused | Uncertain | AnswerNotKept | SignedOut | Again;

export interface Again {
  kind: 'again';
  because: string;
  /** What the service asked for; null: nothing. */
  afterMs: number | null;
  /** Null: there was no answer at all. */
  status: number | null;
  /** It was answered by something other than the service, such as the page of a hotel's Wi-Fi or a firewall. */
  isForeign?: boolean;
}

/** Answers of the moment: the same request is answered otherwise later. 500 is a fault, and may be over. */
const passing: readonly number[] = [408, 425, 429];
const stillAtWork: readonly string[] = ['idempotency_key_in_use', 'sale_return_being_created', 'return_not_ready'];

/** Each answer of the service has it. A refusal is also known by its code or its listed values. */
const markOfService = 'x-request-id';

/**
 * The answer of the service in our terms. An answer of something else in its place is no answer, whatever its status:
 * the page of a hotel's Wi-Fi, or JSON of a proxy, whose 200 books nothing and whose 403 refuses nothing.
 */
export function hear(answer: { status: number; headers: Headers; text: string }): Heard {
  const { status, headers, text } = answer;
  const requestId = headers.get(markOfService) ?? '';
  const body = parsed(text);
  const isJson = (headers.get('content-type') ?? '').startsWith('application/json') && body !== undefined;
  const afterMs = secondsOf(headers.get('retry-after'));
  if (status >= 500 || passing.includes(status))
    return { kind: 'again', because: isJson ? sentenceOf(status, body) : `${status}`, afterMs, status };
  const parameters = parametersOf(body);
  const outcome = textIn(parameters, 'outcome');
  const isOurs = isJson && (requestId !== '' || (status >= 400 && (outcome !== null || Array.isArray(parameters))));
  if (!isOurs || (status >= 300 && status < 400))
    return { kind: 'again', because: foreignAnswer(status), afterMs, status, isForeign: true };
  if (status < 300)
    return { kind: 'done', value: body, isReplay: headers.get('idempotent-replayed') === 'true', requestId };
  const sentence = sentenceOf(status, body);
  if (status === 409 && outcome === 'gateway_uncertain')
    return {
      kind: 'uncertain',
      outcome,
      sentence,
      returnId: numberIn(parameters, 'return_id'),
      refundAttemptId: numberIn(parameters, 'refund_attempt_id'),
      requestId,
    };
  if (status === 409 && outcome === 'idempotency_answer_not_kept')
    return { kind: 'answer_not_kept', outcome, sentence, requestId };
  if (status === 409 && outcome !== null && stillAtWork.includes(outcome))
    return { kind: 'again', because: sentence, afterMs, status };
  if (status === 401 && textIn(parameters, 'resources') !== null) return { kind: 'signed_out', sentence, requestId };
  return { kind: 'refused', status, outcome, sentence, parameters, requestId };
}

const foreignAnswer = (status: number) => `${status}, and not from the service: look at the network or its proxy.`;

/** The value of what was done. Throws on anything else: for scripts and tests, where nothing else may happen. */
export function valueOf<Value>(result: { kind: string; value?: Value }): Value {
  if (result.kind === 'done' && 'value' in result) return result.value as Value;
  throw new Error(`There is no answer: ${JSON.stringify(result)}`);
}

/** A sentence for the cashier, whatever became of it. */
export function sentenceFor(
  result: Exclude<Result<unknown>, Done<unknown>> | { kind: 'dropped'; sentence: string },
): string {
  return result.kind === 'unanswered'
    ? 'The service did not answer. It is sent again until it does; do nothing twice.'
    : result.sentence;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const secondsOf = (text: string | null): number | null =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;

function sentenceOf(status: number, body: unknown): string {
  const message = textIn(body, 'message') ?? String(status);
  return fillIn(message, parametersOf(body));
}

function parametersOf(body: unknown): ErrorParameters | undefined {
  const given: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'parameters') : undefined;
  return typeof given === 'object' && given !== null ? (given as ErrorParameters) : undefined;
}

const inside = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined;

export function textIn(of: unknown, key: string): string | null {
  const found = inside(of, key);
  return typeof found === 'string' ? found : null;
}

export function numberIn(of: unknown, key: string): number | null {
  const found = inside(of, key);
  return typeof found === 'number' ? found : null;
}
