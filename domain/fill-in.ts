import type { ErrorParameters } from './errors.ts';

/** A refusal's message with its parameters in place: `%1` from a list, `%fieldName` from names. */
export function fillIn(message: string, parameters: ErrorParameters | undefined): string {
  if (parameters === undefined) return message;
  const named = Array.isArray(parameters)
    ? Object.fromEntries(parameters.map((value: unknown, index) => [String(index + 1), value]))
    : Object.fromEntries(Object.entries(parameters));
  return message.replaceAll(/%(\w+)/g, (placeholder, name: string) =>
    name in named ? String(named[name]) : placeholder,
  );
}
