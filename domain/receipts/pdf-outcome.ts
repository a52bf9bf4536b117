/** What became of a PDF: made and kept, no browser to make it, or too costly to make. */
export type PdfOutcome = 'made' | 'no_browser' | 'too_much';
