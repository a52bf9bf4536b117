import { PosError, type InputError } from '../errors.ts';
import type { Quantity } from '../money/quantity.ts';

export interface SourceItemDraft {
  sku?: string | undefined;
  sourceCode?: string | undefined;
  quantity?: Quantity | undefined;
  status?: number | undefined;
}

/** What the platform finds wrong with one row of a stock count, in the order of its own checks (platform facts 2.2). */
export function sourceItemErrors(item: SourceItemDraft): InputError[] {
  return [
    ...skuErrors(item.sku ?? ''),
    ...sourceCodeErrors(item.sourceCode ?? ''),
    ...(item.quantity === undefined ? [error('"%field" should be numeric.', 'quantity')] : []),
    // The platform would store a negative quantity; here it is refused (our choice).
    ...(item.quantity !== undefined && item.quantity < 0 ? [error('"%field" can not be negative.', 'quantity')] : []),
    ...statusErrors(item.status),
  ];
}

export const emptyErrors = (value: string, field: string) =>
  value.trim() === '' ? [error('"%field" can not be empty.', field)] : [];

const skuErrors = (sku: string): InputError[] => [
  ...emptyErrors(sku, 'sku'),
  ...(sku === sku.trim() ? [] : [error('"%field" can not contain leading or trailing spaces.', 'sku')]),
];

/** Of the code of a source, in stock counts and links. */
export const sourceCodeErrors = (code: string): InputError[] => [
  ...emptyErrors(code, 'source_code'),
  ...whitespaceErrors(code, 'source_code'),
];

export const whitespaceErrors = (value: string, field: string): InputError[] =>
  /\s/.test(value) ? [error('"%field" can not contain whitespaces.', field)] : [];

function statusErrors(status: number | undefined): InputError[] {
  if (status === undefined) return [error('"%field" should be numeric.', 'status')];
  return status === 0 || status === 1 ? [] : [error('"%field" should a known status.', 'status')];
}

/** The inventory's own envelope: it has the list even for a single error (platform facts 2.2). */
export const recordInvalid = (errors: readonly InputError[]): PosError =>
  new PosError({ status: 400, message: 'Validation Failed', errors });

/** The same for rows of a stock count, where the first error is the main message. */
export function validationFailed(errors: readonly InputError[]): PosError {
  const [first] = errors;
  return new PosError({ status: 400, message: `Validation Failed: ${first ? filledIn(first) : ''}`, errors });
}

const filledIn = ({ message, parameters }: InputError) =>
  Object.entries(parameters).reduce((text, [name, value]) => text.replace(`%${name}`, () => String(value)), message);

const error = (message: string, field: string): InputError => ({ message, parameters: { field } });
