import { z } from 'zod';

/** How one kind of value is read from a request and written to an answer. */
interface Scalar<Value, Wire> {
  /** The platform's name of the type, for the message. */
  type: 'int' | 'float' | 'bool' | 'string' | 'date';
  /** Undefined: an invalid value. Never called with null or undefined. */
  read: (given: unknown) => Value | undefined;
  write: (value: Value) => Wire;
  /** How the API page describes it. */
  json: Record<string, unknown>;
}

/** A codec from any value; an invalid value becomes an issue that names the platform's type. */
export const scalar = <Value, Wire>({ type, read, write, json }: Scalar<Value, Wire>) =>
  z
    .codec(z.custom<Wire>(), z.custom<Value>(), {
      decode: (given, context) => {
        const value = given === undefined || given === null ? undefined : read(given);
        if (value !== undefined) return value;
        context.issues.push({ code: 'custom', input: given, params: { type } });
        return z.NEVER;
      },
      encode: write,
    })
    .meta(json);

/** For values with the same form inside and outside. */
export const same = <Value>(value: Value) => value;
