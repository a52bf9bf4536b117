import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { endOnSignal, pagePolicy, startLittleServer } from './little-server.ts';
import { readPage } from './read-page.ts';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

export interface CaughtMail {
  id: string;
  at: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  attachments: { filename: string; contentType: string; contentBase64: string }[];
}

export interface MailCatcher {
  smtpUrl: string;
  url: string;
  stop(): Promise<void>;
}

/** Older mails are deleted, so that a demo that runs for weeks does not fill the memory. */
const mostStored = 500;
const largestMailBytes = 25 * 1024 * 1024;

export interface MailCatcherParts {
  /** 0: a free one. */
  smtpPort: number;
  webPort: number;
  /** Awaited before each answer to a sender; absent: it answers at once. */
  beforeAnswer?: () => Promise<unknown>;
}

/** No mailbox of this domain takes a mail: for whoever wants to see one that cannot go. */
export const refusedDomain = 'refused.example';

const isRefused = (address: string) => address.toLowerCase().endsWith(`@${refusedDomain}`);

/** Takes every mail but those to the refused domain, and shows it; nothing leaves the machine. */
export async function startMailCatcher({ beforeAnswer, ...ports }: MailCatcherParts): Promise<MailCatcher> {
  const caught: CaughtMail[] = [];
  let taken = 0;
  const keep = async (raw: Buffer) => {
    caught.unshift(render(await PostalMime.parse(raw, { attachmentEncoding: 'base64' }), String(++taken)));
    caught.splice(mostStored);
  };
  const smtp = smtpServer(keep, beforeAnswer ?? (() => Promise.resolve()));
  const [web] = await Promise.all([
    startLittleServer({ port: ports.webPort, serve: pageOf(caught) }),
    listening(smtp, ports.smtpPort),
  ]);
  return {
    smtpUrl: `smtp://127.0.0.1:${portOf(smtp.server.address())}`,
    url: web.url,
    stop: async () => void (await Promise.all([web.stop(), new Promise((done) => smtp.close(() => done(null)))])),
  };
}

/** Plain and without a login, as a catcher on one machine should be. */
function smtpServer(keep: (raw: Buffer) => Promise<void>, beforeAnswer: () => Promise<unknown>): SMTPServer {
  const answer = (done: (error?: Error | null) => void) => void beforeAnswer().then(() => done(), done);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: largestMailBytes,
    onAuth: (_login, _session, done) => done(null, { user: 'anybody' }),
    onConnect: (_session, done) => answer(done),
    onMailFrom: (_address, _session, done) => answer(done),
    onRcptTo: ({ address }, _session, done) =>
      isRefused(address) ? done(new Error('There is no such mailbox.')) : answer(done),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      // Always read to its end, or the sender would wait for ever; only a limited part is kept.
      stream.on('data', (chunk: Buffer) => (stream.sizeExceeded ? chunks.splice(0) : chunks.push(chunk)));
      stream.once('end', () => {
        if (stream.sizeExceeded) return done(new Error('This mail is too long.'));
        void keep(Buffer.concat(chunks)).then(() => answer(done), done);
      });
    },
  });
  // A sender that hangs up must not stop the catcher.
  server.on('error', () => undefined);
  return server;
}

function pageOf(caught: CaughtMail[]) {
  const page = readPage(new URL('mail-catcher.html', import.meta.url));
  const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy(page) };
  return (request: IncomingMessage, response: ServerResponse, path: string) => {
    const route = `${request.method} ${path}`;
    if (route === 'DELETE /api/messages') caught.length = 0;
    if (route === 'DELETE /api/messages' || route === 'GET /api/messages') {
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(caught));
    }
    if (route === 'GET /') return response.writeHead(200, pageHeaders).end(page);
    return response.writeHead(404, { 'content-type': 'text/plain' }).end('There is only / and /api/messages.\n');
  };
}

function render(mail: Email, id: string): CaughtMail {
  return {
    id,
    at: new Date().toISOString(),
    from: addresses(mail.from ? [mail.from] : [])[0] ?? '',
    to: addresses(mail.to ?? []),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename: filename ?? 'unnamed',
      contentType: mimeType,
      contentBase64: typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('base64'),
    })),
  };
}

const addresses = (list: readonly Address[]): string[] =>
  list.flatMap((one) => (one.group ? one.group.map(({ address }) => address) : [one.address]));

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address ? address.port : 0;

interface Listener {
  listen(port: number, host: string, ready: () => void): unknown;
  once(event: 'error', failed: (error: Error) => void): unknown;
}

const listening = (server: Listener, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

if (isEntryPoint(import.meta)) {
  const [smtpPort = 1025, webPort = 8025] = process.argv.slice(2).map(Number);
  const catcher = await startMailCatcher({ smtpPort, webPort });
  console.log(`mail catcher ready: mail to ${catcher.smtpUrl}, page at ${catcher.url}`);
  endOnSignal(catcher);
}
