/** One mail: in plain text, and in HTML where it has that too. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  enclosed?: readonly Enclosed[];
  /** The same key again is the same mail to whoever gets it: it becomes the Message-ID. */
  key?: string;
}

/** A file that goes along. */
export interface Enclosed {
  filename: string;
  contentType: string;
  content: Buffer;
  /** The name that the HTML knows it by, as `cid:…`; absent: a file to open. */
  cid?: string;
}

/** Sends mail. Never called while a transaction is open: a mail server may be slow or away. */
export interface Mailer {
  /** Whether the shop has a mail server at all. */
  readonly isEnabled: boolean;
  /** Whether the mail server takes us in just now, whoever a mail is for; as of some seconds ago at most. */
  isReachable(): Promise<boolean>;
  /** Hands a mail over to the server; throws when it does not take it within seconds. A repeat sends another. */
  send(mail: Mail): Promise<void>;
}

/** A shop without a mail server: every mail is dropped. */
export const noMailer: Mailer = {
  isEnabled: false,
  isReachable: () => Promise.resolve(false),
  send: () => Promise.resolve(),
};
