import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { findWebsite } from '../db/prices/find-website.ts';
import { loadContractPrices, type ContractLine } from '../db/prices/load-contract-prices.ts';
import { invalid, PosError } from '../domain/errors.ts';
import { parseAmount } from '../domain/money/amount.ts';
import { parseQuantity } from '../domain/money/quantity.ts';
import { fine, type Answer } from './support/answer.ts';
import type { Surroundings } from './support/surroundings.ts';

export interface LoadPricesOptions {
  website?: string;
  replace?: boolean;
}

/** Lines of one file; more are loaded in parts. */
const mostLines = 1_000_000;
const columns = ['customer', 'sku', 'qty', 'price'] as const;

/**
 * `prices load FILE [--website CODE] [--replace]`: contract prices from a CSV file with the columns customer (id or e-mail), sku,
 * qty and price, in the base currency of the website; all of it or nothing. A line without a price ends that step.
 *
 * The same file again changes nothing. Refused with 400: a file that cannot be read, a line that is none, a customer nobody knows,
 * a step that is there twice · 404 an unknown website.
 */
export async function loadPrices(
  { em: connect }: Surroundings,
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
  const lines: ContractLine[] = [];
  const parser = parse({ bom: true, columns: headed, trim: true, skip_empty_lines: true });
  const gather = async (rows: AsyncIterable<Record<string, string>>) => {
    for await (const row of rows) {
      if (lines.length === mostLines) throw invalid('A file has at most %1 lines.', [mostLines]);
      // The first line has the columns' names.
      lines.push(lineOf(row, lines.length + 2));
    }
  };
  try {
    await pipeline(createReadStream(file), parser, gather);
  } catch (error) {
    if (error instanceof PosError || !(error instanceof Error)) throw error;
    throw invalid('"%1" cannot be read: %2', [file, error.message]);
  }
  return lines;
}

function headed(names: readonly string[]): string[] {
  const given = names.map((name) => name.toLowerCase());
  const missing = columns.filter((column) => !given.includes(column));
  if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
  return given;
}

function lineOf(row: Record<string, string>, line: number): ContractLine {
  const { customer = '', sku = '', qty: qtyText = '', price: priceText = '' } = row;
  const qty = parseQuantity(qtyText === '' ? '1' : qtyText);
  const price = priceText === '' ? null : parseAmount(priceText);
  if (customer === '' || sku === '' || sku.length > 64) throw invalid('Line %1 has no customer or no SKU.', [line]);
  if (qty === undefined || qty <= 0) throw invalid('Line %1: "%2" is no quantity.', [line, qtyText]);
  if (price === undefined || (price !== null && price < 0))
    throw invalid('Line %1: "%2" is no price such as 12.50.', [line, priceText]);
  return { line, customer, sku, qty, price };
}
