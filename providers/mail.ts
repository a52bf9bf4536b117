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
const noMailer: Mailer = {
  isEnabled: false,
  isReachable: () => Promise.resolve(false),
  send: () => Promise.resolve(),
};

/** The timeout of each answer of the server, because a caller waits. */
const longestMs = 5_000;

/** The timeout of the whole sending: each answer may be in time and all together too late. */
const longestSendingMs = 18_000;

interface MailSettings {
  smtpUrl: string | undefined;
  from: string;
  /** Shorter in tests. */
  sendingMs?: number;
}

/** Sends mail through the server of `SMTP_URL`, one connection per mail; without that setting there is no mailer. */
export function createMailer({ smtpUrl, from, sendingMs = longestSendingMs }: MailSettings): Mailer {
  if (smtpUrl === undefined) return noMailer;
  let opening: ReturnType<typeof openTransport> | undefined;
  const open = () => (opening ??= openTransport(smtpUrl, from));
  const isReachable = lately(async () => {
    const transport = await open();
    return transport.verify().then(
      () => true,
      () => false,
    );
  });
  return {
    isEnabled: true,
    isReachable,
    async send({ to, subject, text, html, enclosed = [], key }, { signal } = {}) {
      // Separate from the text, so that a comma in a stored address never makes two recipients.
      const messageId = key === undefined ? {} : { messageId: `<${key}@${domainOf(from)}>` };
      const transport = await open();
      await transport.sendMail({
        to: { name: '', address: to },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        attachments: enclosed.map((file) => ({
          ...file,
          ...(file.cid === undefined ? {} : { contentDisposition: 'inline' }),
        })),
        ...messageId,
        // Ends the connection too.
        signal: AbortSignal.any([AbortSignal.timeout(sendingMs), ...(signal ? [signal] : [])]),
      });
    },
  };
}

/** Loaded for the first mail: the API of most shops sends none. */
async function openTransport(smtpUrl: string, from: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    {
      url: smtpUrl,
      connectionTimeout: longestMs,
      greetingTimeout: longestMs,
      socketTimeout: longestMs,
      dnsTimeout: longestMs,
      // A mail must not read our files or fetch from the network.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}

/** How long the result of a connection check is reused, so that each request does not connect again. */
const thereMs = 10_000;
const awayMs = 2_000;

/** Asks again when the last answer is old; concurrent callers share the answer. */
function lately(ask: () => Promise<boolean>): () => Promise<boolean> {
  let last: Promise<boolean> | undefined;
  let until = 0;
  return () => {
    if (last !== undefined && performance.now() < until) return last;
    until = Infinity;
    last = ask().then((isThere) => {
      until = performance.now() + (isThere ? thereMs : awayMs);
      return isThere;
    });
    return last;
  };
}

const domainOf = (address: string) => /@([\w.-]+)/.exec(address)?.[1] ?? 'localhost';
