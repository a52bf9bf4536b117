import { PosError, type InputError } from '../errors.ts';
import { none, type Quantity } from '../money/quantity.ts';

export interface StockTransfer {
  from: string;
  to: string;
  items: readonly { sku: string; qty: Quantity }[];
}

/** What is known of the places and goods that a transfer names. */
export interface TransferFacts {
  sources: ReadonlySet<string>;
  /** How much lies at the origin, by sku. */
  atOrigin: ReadonlyMap<string, Quantity>;
}

/** What stands against moving goods from one source to another, all at once. */
export function transferErrors({ from, to, items }: StockTransfer, { sources, atOrigin }: TransferFacts): InputError[] {
  const unknown = [from, to].filter((code) => !sources.has(code));
  const wanted = new Map<string, number>();
  for (const { sku, qty } of items) wanted.set(sku, (wanted.get(sku) ?? 0) + qty);
  return [
    ...unknown.map((value) => ({ message: 'Source with code "%value" does not exist.', parameters: { value } })),
    ...(from === to ? [{ message: 'Goods cannot be moved to the source they lie at.', parameters: {} }] : []),
    ...items
      .filter(({ qty }) => qty <= none)
      .map(({ sku }) => ({ message: 'The quantity of "%sku" must be greater than zero.', parameters: { sku } })),
    ...[...wanted]
      .filter(([sku, qty]) => qty > (atOrigin.get(sku) ?? none))
      .map(([sku]) => ({ message: 'The source holds less of "%sku" than that.', parameters: { sku } })),
  ];
}

/** The inventory's envelope for transfers: the list is there for a single error too (platform facts 2.2). */
export const transferRefused = (errors: readonly InputError[]) =>
  new PosError({ status: 400, message: 'Transfer validation failed', errors });
