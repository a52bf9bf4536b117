import type { ErrorParameters, Refusal } from './errors.ts';

/** A refusal as text for people. With several errors, each of them. */
export const inWords = ({ message, parameters, errors = [] }: Refusal): string =>
  [{ message, parameters }, ...errors].map((one) => fillIn(one.message, one.parameters)).join(' ');

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
