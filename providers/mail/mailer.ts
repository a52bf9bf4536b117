/** One mail: plain text, and HTML where it has that, too. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  enclosed?: readonly Enclosed[];
  /** Becomes the Message-ID, so that a repeat with the same key is the same mail for its recipient. */
  key?: string;
}

/** An enclosed file. */
export interface Enclosed {
  filename: string;
  contentType: string;
  content: Buffer;
  /** Its name in the HTML, as `cid:…`; absent: an attachment. */
  cid?: string;
}

/** Sends mail. Never called within a transaction: a mail server may be slow or away. */
export interface Mailer {
  /** Whether the shop has a mail server at all. */
  readonly isEnabled: boolean;
  /** Whether the mail server accepts our connection; the answer may be some seconds old. */
  isReachable(): Promise<boolean>;
  /**
   * Hands a mail to the server; throws when the server does not accept it within seconds, or before `signal` ends it.
   * A repeat sends another mail.
   */
  send(mail: Mail, options?: { signal?: AbortSignal }): Promise<void>;
}

/** For a shop without a mail server: every mail is dropped. */
export const noMailer: Mailer = {
  isEnabled: false,
  isReachable: () => Promise.resolve(false),
  send: () => Promise.resolve(),
};
