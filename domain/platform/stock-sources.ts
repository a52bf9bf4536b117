import { PosError, type InputError } from '../errors.ts';
import { atLeastNone, minimum, minus, none, plus, type Quantity } from '../money.ts';

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
const sourceCodeErrors = (code: string): InputError[] => [
  ...emptyErrors(code, 'source_code'),
  ...whitespaceErrors(code, 'source_code'),
];

const whitespaceErrors = (value: string, field: string): InputError[] =>
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

/**
 * What the platform finds wrong with one link of a stock and a source, in the order of its own checks (platform facts
 * 2.2). A missing priority counts as 0.
 */
export const linkErrors = ({ sourceCode, priority }: { sourceCode: string; priority: number }): InputError[] => [
  ...sourceCodeErrors(sourceCode),
  ...(priority > 0 ? [] : [{ message: '"%field" should be greater then 0.', parameters: { field: 'priority' } }]),
];

interface AtSource {
  sku: string;
  sourceCode: string;
  quantity: Quantity;
}

export interface SourceSelection {
  items: readonly { sourceCode: string; sku: string; qtyToDeduct: Quantity; qtyAvailable: Quantity }[];
  /** Whether these sources can ship everything that was asked for. */
  isShippable: boolean;
}

/**
 * How much each source ships, in the order of the stock's priority (platform facts 10). A source that is not needed
 * is listed with quantity zero.
 */
export function selectSources(
  requested: readonly { sku: string; qty: Quantity }[],
  byPriority: readonly AtSource[],
): SourceSelection {
  const open = new Map<string, Quantity>();
  for (const { sku, qty } of requested) open.set(sku, plus(open.get(sku) ?? none, qty));
  const items = byPriority.map(({ sku, sourceCode, quantity }) => {
    const left = open.get(sku) ?? none;
    const qtyToDeduct = minimum(left, atLeastNone(quantity));
    open.set(sku, minus(left, qtyToDeduct));
    return { sourceCode, sku, qtyToDeduct, qtyAvailable: quantity };
  });
  return { items, isShippable: [...open.values()].every((left) => left <= none) };
}

interface SourceDraft {
  sourceCode?: string | undefined;
  name?: string | undefined;
  postcode?: string | null | undefined;
  countryId?: string | undefined;
}

/** What is wrong with a stock source, in the order of the platform's own checks (platform facts 2.2). */
export const sourceErrors = ({ sourceCode = '', name = '', postcode, countryId = '' }: SourceDraft): InputError[] => [
  ...emptyErrors(sourceCode, 'source_code'),
  ...whitespaceErrors(sourceCode, 'source_code'),
  ...emptyErrors(name, 'name'),
  ...emptyErrors(postcode ?? '', 'postcode'),
  ...emptyErrors(countryId, 'country_id'),
];
