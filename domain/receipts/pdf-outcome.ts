/** What became of a PDF: made and kept; no browser where it would be made; or more than a PDF may cost. */
export type PdfOutcome = 'made' | 'no_browser' | 'too_much';
