import { createTransport } from 'nodemailer';
import { noMailer, type Mailer } from './mailer.ts';

/** A caller waits for it, so the server has to be quick. */
const longestMs = 5_000;

/**
 * From the first word to the server's yes: each of its words may be in time and all of them too late. Shorter than a turn of
 * a mail that somebody waits for, so that nobody else sends it meanwhile.
 */
const longestSendingMs = 18_000;

interface MailSettings {
  smtpUrl: string | undefined;
  from: string;
  /** Shorter in tests. */
  sendingMs?: number;
}

/** Mail through the server of `SMTP_URL`, one connection a mail; without that setting there is none. */
export function createMailer({ smtpUrl, from, sendingMs = longestSendingMs }: MailSettings): Mailer {
  if (smtpUrl === undefined) return noMailer;
  const transport = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: longestMs,
      greetingTimeout: longestMs,
      socketTimeout: longestMs,
      dnsTimeout: longestMs,
      // Nothing of ours is read from files or fetched from the network into a mail.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const isReachable = lately(() =>
    transport.verify().then(
      () => true,
      () => false,
    ),
  );
  return {
    isEnabled: true,
    isReachable,
    async send({ to, subject, text, html, enclosed = [], key }) {
      // Kept apart from the mail's text, so that a comma in a stored address never makes two recipients.
      const messageId = key === undefined ? {} : { messageId: `<${key}@${domainOf(from)}>` };
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
        signal: AbortSignal.timeout(sendingMs),
      });
    },
  };
}

/** So long a mail server counts as there, or as away: nobody has it greet us once per request. */
const thereMs = 10_000;
const awayMs = 2_000;

/** Asks again when the last answer is old; those who ask meanwhile share the answer. */
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
