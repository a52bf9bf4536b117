import type { z } from 'zod';
import { fieldRequired, invalid, invalidValue, type PosError } from '../../domain/errors.ts';
import { fieldNotKnown, tooManyItems, valueTooLong, invalidInput } from '../../domain/refusals/platform.ts';
import { readJson, spellingsOf, toCamelCase } from './read-json.ts';

type Issue = z.core.$ZodIssue;

/** How many characters of a wrong value the answer repeats. */
const shownLength = 100;
/** How many missing values are named at once. */
const mostNamed = 100;

/**
 * The platform's refusals of invalid arguments (platform facts 2.2, 2.3).
 *
 * A value of the wrong type is answered by itself, under the caller's spelling; missing ones are answered together.
 *
 * @param input the value that was parsed, for the caller's spelling of the keys
 */
export function refusalOf(issues: readonly Issue[], input: unknown): PosError {
  const inner = issues.map(unwrap);
  const wrong = inner.find((issue) => !isAbsent(issue));
  if (wrong) return refusalOfOne(wrong, input);
  return invalidInput(
    inner.slice(0, mostNamed).map((issue) => {
      const { message, parameters } = fieldRequired(fieldNameOf(issue));
      return { message, parameters: parameters ?? [] };
    }),
  );
}

/** An issue within a JSON text is wrapped, because its path continues within the text. */
function unwrap(issue: Issue): Issue {
  const inner: Issue | undefined = issue.code === 'custom' ? issue.params?.['inner'] : undefined;
  if (!inner) return issue;
  return unwrap({ ...inner, path: [...issue.path.slice(0, issue.path.length - inner.path.length), ...inner.path] });
}

const isAbsent = (issue: Issue) =>
  (issue.code === 'invalid_type' || issue.code === 'custom' || issue.code === 'invalid_value') &&
  (issue.input === undefined || issue.input === null);

function refusalOfOne(issue: Issue, input: unknown): PosError {
  const type = typeOf(issue);
  if (type) return wrongType(issue, type, input);
  const fieldName = fieldNameOf(issue);
  const value = shown(issue.input);
  if (issue.code === 'unrecognized_keys')
    return fieldNotKnown({
      fieldName: (issue.keys[0] ?? '').slice(0, shownLength),
    });
  if (issue.code === 'too_small')
    return outOfBounds(issue, { fieldName, value, minValue: Number(issue.minimum) }, 'greater', '%minValue');
  if (issue.code === 'too_big')
    return outOfBounds(issue, { fieldName, value, maxValue: Number(issue.maximum) }, 'less', '%maxValue');
  const { maxLength, minValue, maxValue } = issue.code === 'custom' ? (issue.params ?? {}) : {};
  if (minValue !== undefined && maxValue !== undefined)
    return invalid('The %fieldName value of "%value" must be between %minValue and %maxValue', {
      ...{ fieldName, value, minValue, maxValue },
    });
  return typeof maxLength === 'number' ? tooLong(fieldName, maxLength) : invalidValue(fieldName, value);
}

const tooLong = (fieldName: string, maxLength: number) => valueTooLong({ fieldName, maxLength });

function outOfBounds(
  issue: Extract<Issue, { code: 'too_small' | 'too_big' }>,
  parameters: { fieldName: string } & Record<string, unknown>,
  side: 'greater' | 'less',
  bound: string,
): PosError {
  if (issue.origin === 'string' && issue.code === 'too_big')
    return tooLong(parameters.fieldName, Number(issue.maximum));
  if (issue.origin === 'array' && issue.code === 'too_big')
    return tooManyItems({ type: parameters.fieldName, max: Number(issue.maximum) });
  if (issue.origin === 'string' || issue.origin === 'array')
    return invalidValue(parameters.fieldName, parameters['value']);
  return invalid(`The %fieldName value of "%value" must be ${side} than or equal to ${bound}.`, parameters);
}

/** The platform's names for zod's types. */
const platformTypes: Record<string, string> = { number: 'float', boolean: 'bool', int: 'int', record: 'object' };

function typeOf(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type') return platformTypes[issue.expected] ?? issue.expected;
  const type: unknown = issue.code === 'custom' ? issue.params?.['type'] : undefined;
  return typeof type === 'string' && type !== 'date' ? type : undefined;
}

/** Rendered, one level of nesting after the other, without the argument's own name (platform facts 2.3). */
function wrongType(issue: Issue, type: string, input: unknown): PosError {
  const levels = spelledPath(issue.path, input).slice(1);
  const where = levels.map((name) => `Error occurred during "${name}" processing. `).join('');
  // PHP calls an object an array too, which would be no reason where a list is asked for.
  const value = type === 'array' && isRecord(issue.input) ? 'object' : String(shown(issue.input));
  return invalid(
    `${where}The "${value}" value's type is invalid. The "${type}" type was expected. Verify and try again.`,
  );
}

/** The names on the path to the issue, in the caller's spelling; positions in lists are left out. */
function spelledPath(path: readonly PropertyKey[], input: unknown): string[] {
  const names: string[] = [];
  let value = input;
  for (const key of path) {
    const holder = typeof value === 'string' ? readInner(value) : value;
    const name = typeof key === 'string' ? spelledIn(holder, key) : key;
    if (typeof name === 'string') names.push(name);
    value = isRecord(holder) ? Reflect.get(holder, name) : undefined;
  }
  return names;
}

/** Rows sent as JSON text are parsed, because the caller's spelling is within it. */
function readInner(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

const spelledIn = (holder: unknown, name: string) =>
  (isRecord(holder) ? spellingsOf(name).find((spelling) => Object.hasOwn(holder, spelling)) : undefined) ?? name;

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const fieldNameOf = (issue: Issue) =>
  toCamelCase(issue.path.findLast((key): key is string => typeof key === 'string') ?? '');

/** A value in a message, as the platform writes it: true is 1, false and null are empty, a nested value is `array`. */
function shown(value: unknown): string | number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return value.slice(0, shownLength);
  if (typeof value === 'object' && value !== null) return 'array';
  return value === true ? '1' : '';
}
