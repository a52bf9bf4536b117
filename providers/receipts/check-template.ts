import { logoPath } from '../../domain/receipts/receipt-path.ts';
import { templateFault } from './own-template.ts';
import { printReceipt } from './printed-receipt.ts';
import { sampleReceipts } from './sample-receipts.ts';
import { nameMissingIn, ownTemplate, templateOf } from './templates.ts';

const page = templateOf('page');

/**
 * What is wrong with a shop's own template, as half a sentence: it leaves the dialect, or uses a name that not every
 * receipt has. Undefined: it works for every receipt.
 */
export function templateProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const fault = templateFault(text.trim());
  if (fault !== undefined) return fault;
  const own = ownTemplate(text.trim());
  for (const view of sampleReceipts()) {
    try {
      page({ ...printReceipt(view, { logo: view.shop.logo && logoPath(view.shop.logo.digest) }), actions: null }, own);
    } catch (error) {
      return missingName(error);
    }
  }
  return undefined;
}

/** Handlebars names the missing field and its object; only the field's name helps a reader. */
function missingName(error: unknown): string {
  const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  const name = nameMissingIn(error);
  return name === undefined
    ? `a receipt cannot be written by it (${said})`
    : `it names "${name}", which not every receipt has; where some have it, ask {{#if}} first`;
}
