import { statSync } from 'node:fs';
import { quantity, text as textOf } from '../api/wire/schemas.ts';
import { findWebsite, loadContractPrices, type ContractLine } from '../db/prices/load-contract-prices.ts';
import { invalid } from '../domain/errors.ts';
import { parseAmount } from '../domain/money.ts';
import { openRows, type CsvRow } from './import/read-rows.ts';
import { fine, type Answer, type CommandContext } from './support.ts';

export interface LoadPricesOptions {
  website?: string;
  replace?: boolean;
}

/** About two million lines; longer lists are loaded in parts. */
const mostBytes = 100_000_000;
const columns = ['customer', 'sku', 'qty', 'price'] as const;

/**
 * `prices load FILE [--website CODE] [--replace]`: contract prices from a CSV file with the columns customer (id or
 * e-mail), sku, qty and price, in the base currency of the website; all or nothing. A line without a price ends that
 * step.
 *
 * The same file again changes nothing. Refused with 400: an unreadable file, an invalid line, an unknown customer,
 * the same step twice · 404 an unknown website.
 */
export async function loadPrices(
  { em: connect }: CommandContext,
  file: string,
  { website, replace = false }: LoadPricesOptions,
): Promise<Answer> {
  const lines = await readLines(file);
  const em = await connect();
  const { websiteId, code, baseCurrencyCode } = await findWebsite(em, website);
  const { saved, removed, unknownSkus } = await loadContractPrices(em, {
    websiteId,
    lines,
    replaces: replace,
    name: file,
  });
  const missing = unknownSkus.length === 0 ? '' : ` Not in the catalog yet: ${shown(unknownSkus)}.`;
  return fine(
    `${lines.length} lines: ${saved} prices saved, ${removed} removed, in ${baseCurrencyCode} for website ${code}.${missing}`,
    { lines: lines.length, saved, removed, website_id: websiteId, unknown_skus: unknownSkus },
  );
}

const mostShown = 10;
const shown = (skus: readonly string[]) =>
  skus.slice(0, mostShown).join(', ') + (skus.length > mostShown ? ` and ${skus.length - mostShown} others` : '');

async function readLines(file: string): Promise<ContractLine[]> {
  refuseUnreadable(file);
  const { columns: found, rows } = await openRows(file);
  const missing = columns.filter((column) => !found.includes(column));
  if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
  const lines: ContractLine[] = [];
  for await (const { row, fault, isShort } of rows) {
    const line = lines.length + headed;
    const why = fault ?? (isShort ? 'The row has fewer cells than the first line.' : undefined);
    if (why !== undefined) throw invalid('Line %1 cannot be read: %2', [line, why]);
    lines.push(lineOf(row, line));
  }
  return lines;
}

/** The first line has the column names, and line numbers begin at one. */
const headed = 2;

function refuseUnreadable(file: string): void {
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes; load it in parts`);
  } catch (error) {
    throw invalid('"%1" cannot be read: %2', [file, error instanceof Error ? error.message : 'for an unknown reason']);
  }
}

const longestSku = textOf(64);

function lineOf(row: CsvRow, line: number): ContractLine {
  const { customer = '', sku = '', qty: qtyText = '', price: priceText = '' } = row;
  const { data: qty } = quantity.safeParse(qtyText === '' ? '1' : qtyText);
  const price = priceText === '' ? null : parseAmount(priceText);
  if (customer === '' || sku === '' || !longestSku.safeParse(sku).success)
    throw invalid('Line %1 has no customer or no SKU.', [line]);
  if (qty === undefined || qty <= 0) throw invalid('Line %1: "%2" is not a quantity.', [line, qtyText]);
  if (price === undefined || (price !== null && price < 0))
    throw invalid('Line %1: "%2" is not a price such as 12.50.', [line, priceText]);
  return { line, customer, sku, qty, price };
}
