/** Makes PDFs of documents that load nothing. */
export interface Printer {
  /**
   * Makes the printer ready for its next print. Null: it is ready. A sentence says why there is none, and what to install.
   * Throws where it was only too slow to get ready.
   */
  readonly missing: () => Promise<string | null>;
  /** Throws `TooMuch` for a document that takes too long or comes out too large. */
  print(html: string, paper: Paper): Promise<Buffer>;
  close(): Promise<void>;
}

export type Paper = 'a4' | 'letter' | 'roll';

/** A document beyond the limits: a retry would end the same way. */
export class TooMuch extends Error {}
