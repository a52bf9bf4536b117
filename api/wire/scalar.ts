import { z } from 'zod';
import { quickValue } from './quick-parse.ts';

/** How one kind of value is read from a request and written to an answer. */
interface Scalar<Value, Wire> {
  /** The platform's name of the type, for the message. */
  type: 'int' | 'float' | 'bool' | 'string' | 'date';
  /** Undefined: an invalid value. Never called with null or undefined. */
  read: (given: unknown) => Value | undefined;
  write: (value: Value) => Wire;
  /** Why a value that was read is refused all the same, for the message; undefined: it is not. */
  refuses?: (value: Value) => Record<string, unknown> | undefined;
  /** How the API page describes it. */
  json: Record<string, unknown>;
}

/** A codec from any value; an invalid value becomes an issue that names the platform's type. */
export function scalar<Value, Wire>({ type, read, write, json, refuses }: Scalar<Value, Wire>) {
  const decode = (given: unknown, context: { issues: z.core.$ZodRawIssue[] }) => {
    const value = given === undefined || given === null ? undefined : read(given);
    const params = value === undefined ? { type } : refuses?.(value);
    if (value !== undefined && params === undefined) return value;
    context.issues.push({ code: 'custom', input: given, params });
    return z.NEVER;
  };
  return quickValue(z.codec(z.custom<Wire>(), z.custom<Value>(), { decode, encode: write }).meta(json), decode);
}

/** For values with the same form inside and outside. */
export const same = <Value>(value: Value) => value;
