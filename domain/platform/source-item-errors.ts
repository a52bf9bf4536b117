import { PosError, type InputError } from '../errors.ts';
import type { Quantity } from '../money/quantity.ts';

export interface SourceItemDraft {
  sku?: string | undefined;
  sourceCode?: string | undefined;
  quantity?: Quantity | undefined;
  status?: number | undefined;
}

/** What the platform finds wrong with one row of a stock count, in the order of its own checks (platform facts 2.2). */
export function sourceItemErrors(item: SourceItemDraft, sources: ReadonlySet<string>): InputError[] {
  return [
    ...(item.sku?.trim() ? [] : [error('"%field" can not be empty.', 'sku')]),
    ...sourceErrors(item.sourceCode, sources),
    ...(item.quantity === undefined ? [error('"%field" should be numeric.', 'quantity')] : []),
    // The platform would store less than nothing; a shelf cannot (our choice).
    ...(item.quantity !== undefined && item.quantity < 0 ? [error('"%field" can not be negative.', 'quantity')] : []),
    ...(item.status === 0 || item.status === 1 ? [] : [error('"%field" should a known status.', 'status')]),
  ];
}

function sourceErrors(code: string | undefined, sources: ReadonlySet<string>): InputError[] {
  if (!code?.trim()) return [error('"%field" can not be empty.', 'source_code')];
  if (/\s/.test(code)) return [error('"%field" can not contain whitespaces.', 'source_code')];
  if (!sources.has(code))
    return [{ message: 'Source with code "%value" does not exist.', parameters: { value: code } }];
  return [];
}

/** The inventory's own envelope: the list is there for a single error too, and the first one is said on top. */
export function validationFailed(errors: readonly InputError[]): PosError {
  const [first] = errors;
  return new PosError({ status: 400, message: `Validation Failed: ${first ? filledIn(first) : ''}`, errors });
}

const filledIn = ({ message, parameters }: InputError) =>
  Object.entries(parameters).reduce((text, [name, value]) => text.replace(`%${name}`, () => String(value)), message);

const error = (message: string, field: string): InputError => ({ message, parameters: { field } });
