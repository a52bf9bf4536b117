/** One mail in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same key again is the same mail to whoever gets it: it becomes the Message-ID. */
  key?: string;
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
