import { readFileSync, statSync } from 'node:fs';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { allowedInstead } from '../../domain/configuration/setting-rules.ts';
import { invalid } from '../../domain/errors.ts';
import { templateProblem } from '../../providers/receipts/check-template.ts';
import type { ShopRecord } from '../../domain/shop/shop-records.ts';
import { recordsOf } from './records-of.ts';
import { shopFile } from './shop-file.ts';

/** More than a shop with ten thousand locations needs. */
const mostBytes = 10_000_000;
/** The most faults in one message. */
const mostNamed = 20;

const templatePath = 'vendor_pos_terminal/receipt/template';

/**
 * Reads a shop file in YAML or JSON. Refused with 400 and every fault with its line: a file that cannot be read, an
 * unknown key, a value that its key does not take.
 */
export function readShopFile(file: string): ReturnType<typeof recordsOf> {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines });
  const [wrong] = document.errors;
  if (wrong) throw invalid('%1 is neither YAML nor JSON: %2', [file, wrong.message]);
  const parsed = shopFile.safeParse(document.toJS() ?? {}, { reportInput: true });
  if (!parsed.success)
    throw faults(
      file,
      parsed.error.issues.flatMap((issue) => describeIssue(issue, { document, lines })),
    );
  const read = recordsOf(parsed.data);
  const unset = read.records.flatMap(settingFault);
  if (unset.length > 0) throw faults(file, unset);
  return read;
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid('"%1" cannot be read: %2', [file, error instanceof Error ? error.message : String(error)]);
  }
}

const faults = (file: string, found: readonly string[]) =>
  invalid('%1 cannot be applied; nothing was changed: %2.', [
    file,
    [...found.slice(0, mostNamed), ...(found.length > mostNamed ? [`and ${found.length - mostNamed} more`] : [])].join(
      '; ',
    ),
  ]);

interface Read {
  document: Document;
  lines: LineCounter;
}

function describeIssue(issue: z.core.$ZodIssue, read: Read): string[] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
  return keys.map((key) => {
    const path = key === undefined ? issue.path : [...issue.path, key];
    const what = key === undefined ? issue.message : 'is no key of a shop file';
    return `line ${lineOf(path, read)}: ${path.map(String).join(' › ') || 'the file'}: ${what}`;
  });
}

/** The line of the value, or of its parent when the value is missing. */
function lineOf(path: readonly PropertyKey[], { document, lines }: Read): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const range: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'range') : undefined;
    if (Array.isArray(range)) return lines.linePos(Number(range[0])).line;
  }
  return 1;
}

function settingFault(record: ShopRecord): string[] {
  if (record.kind !== 'setting') return [];
  const { path = '', value = '', scope = '' } = record.fields;
  const allowed = allowedInstead(path, value);
  if (allowed !== undefined) return [`settings, ${scope}: ${path} takes ${allowed}, not "${value}"`];
  const problem = path === templatePath && value !== '' ? templateProblem(value) : undefined;
  return problem === undefined ? [] : [`settings, ${scope}: this cannot be the template of receipts: ${problem}`];
}
