import { z } from 'zod';

/** How one kind of value is read from a request and written to an answer. */
interface Scalar<Value, Wire> {
  /** The platform's name of the type, for the message. */
  type: 'int' | 'float' | 'bool' | 'string' | 'date';
  /** Undefined: an invalid value. Never called with null or undefined. */
  read: (input: unknown) => Value | undefined;
  write: (value: Value) => Wire;
  /** Why a valid value is refused all the same, for the message; undefined: it is accepted. */
  refuses?: (value: Value) => Record<string, unknown> | undefined;
  /** How the API page describes it. */
  json: Record<string, unknown>;
}

/** A codec from any value; an invalid value becomes an issue that names the platform's type. */
export const scalar = <Value, Wire>({ type, read, write, json, refuses }: Scalar<Value, Wire>) =>
  z
    .codec(z.custom<Wire>(), z.custom<Value>(), {
      decode(input, context) {
        const value = input === undefined || input === null ? undefined : read(input);
        const params = value === undefined ? { type } : refuses?.(value);
        if (value !== undefined && params === undefined) return value;
        context.issues.push({ code: 'custom', input, params });
        return z.NEVER;
      },
      encode: write,
    })
    .meta(json);

/** For values with the same form inside and outside. */
export const same = <Value>(value: Value) => value;
