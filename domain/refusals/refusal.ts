import { PosError, type ErrorParameters } from '../errors.ts';

/** A refusal as the document of a route tells it. */
export interface ListedRefusal {
  status: number;
  /** For a 409: the word in `parameters.outcome` by which a register branches. */
  code?: string;
  /** The sentence as answered, with its placeholders. */
  message: string;
  /** The cause, in the shop's words. */
  when: string;
  /** What the caller does next. */
  then?: string;
}

interface Cause {
  code?: string;
  when?: string;
  then?: string;
}

/** A refusal as code throws it. */
export interface NamedRefusal {
  /** The error to throw, with the values of the placeholders. */
  (parameters?: ErrorParameters): PosError;
  readonly status: number;
  readonly message: string;
  /** Whether an error is this refusal, also after it passed through a workflow. */
  is(error: unknown): boolean;
  /** The same refusal as a route lists it that has another cause for it. */
  because(when: string, then?: string): ListedRefusal;
}

/**
 * A refusal with a name. Code throws what its call makes, its route lists it, and its sentence stands here alone. One
 * that several routes have for several causes has no `when` here: each route says `because`.
 */
export function refusal(status: number, message: string, cause: Cause & { when: string }): NamedRefusal & ListedRefusal;
export function refusal(status: number, message: string, cause?: Cause): NamedRefusal;
export function refusal(status: number, message: string, { code, ...cause }: Cause = {}): NamedRefusal {
  const listed = { status, message, ...(code === undefined ? {} : { code }) };
  const make = (parameters?: ErrorParameters) => new PosError({ status, message, ...withCode(parameters, code) });
  const is = (error: unknown) => error instanceof PosError && error.status === status && error.message === message;
  const because = (when: string, then?: string) => ({ ...listed, when, ...(then === undefined ? {} : { then }) });
  return Object.assign(make, listed, cause, { is, because });
}

function withCode(parameters: ErrorParameters | undefined, code: string | undefined): { parameters?: ErrorParameters } {
  if (code !== undefined) return { parameters: { outcome: code, ...(parameters as Record<string, unknown>) } };
  return parameters === undefined ? {} : { parameters };
}
