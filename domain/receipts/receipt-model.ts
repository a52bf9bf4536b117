import { parseLoosely, sectionOf, isSection, type Section } from './loose-json.ts';

/** The version of the receipt document that this server reads (spec 2.14). */
const knownVersion = 1;

/** The sections of a receipt document; a missing section is empty. */
export interface ReceiptModel {
  header: Section;
  totals: Section;
  payment: Section;
  layaway: Section;
  refund: Section;
  fiscal: Section;
  /** The document itself: its lists and plain values. */
  root: Section;
}

/**
 * Reads the document that a register sent with its receipt. A document that is not JSON, or has an unknown version,
 * is ignored: the columns are shown instead (spec 2.14, 9).
 */
export function readReceiptModel(text: string | null): ReceiptModel {
  const parsed = parseLoosely(text);
  const root = isSection(parsed) && Number(parsed['schema_version']) === knownVersion ? parsed : {};
  return {
    root,
    header: sectionOf(root['header']),
    totals: sectionOf(root['totals']),
    payment: sectionOf(root['payment']),
    layaway: { ...sectionOf(root['layaway']), ...sectionOf(root['layaway_payment']) },
    refund: sectionOf(root['refund']),
    fiscal: sectionOf(root['fiscal']),
  };
}
