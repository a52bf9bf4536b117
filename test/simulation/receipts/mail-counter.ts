import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps of each mail only to whom it was and whether a PDF came along. */
export async function startMailCounter() {
  const pdfs = new Map<string, boolean>();
  let all = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, session, done) =>
      void text(stream).then((mail) => {
        all++;
        const to = session.envelope.rcptTo[0]?.address ?? '';
        pdfs.set(to, (pdfs.get(to) ?? false) || (mail.includes('application/pdf') && mail.includes('JVBER')));
        done();
      }, done),
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    count: () => all,
    seen: () => ({ all, recipients: pdfs.size, withPdf: [...pdfs.values()].filter(Boolean).length }),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
