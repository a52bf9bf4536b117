import { parseLoosely, sectionOf, isSection, type Section } from './loose-json.ts';

/** The version of the receipt document that this server reads (spec 2.14). */
const knownVersion = 1;

/** The sections of a receipt document; empty where it has none. */
export interface ReceiptModel {
  header: Section;
  totals: Section;
  payment: Section;
  layaway: Section;
  refund: Section;
  fiscal: Section;
  /** The document itself: its lists and single values. */
  root: Section;
}

/**
 * Reads the document that a register sent with its receipt. One that is no JSON, or of a version that this server does not
 * know, counts as none: the columns are shown instead (spec 2.14, 9).
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
