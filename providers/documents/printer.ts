/** Makes PDFs of documents that load nothing. */
export interface Printer {
  /** Why no printer is available; null where there is one. One sentence that says what to install. */
  readonly missing: () => Promise<string | null>;
  /** Throws `TooMuch` for a document that takes too long or comes out too large. */
  print(html: string, paper: Paper): Promise<Buffer>;
  close(): Promise<void>;
}

export type Paper = 'a4' | 'letter' | 'roll';

/** A document beyond the limits: a retry would end the same way. */
export class TooMuch extends Error {}
