import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../../local/free-port.ts';
import { startMailCatcher, type CaughtMail, type MailCatcher } from '../../../local/mail-catcher.ts';
import { createMailer } from '../../../providers/mail.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await startMailCatcher({ smtpPort: 0, webPort: 0 });
});
afterAll(() => catcher.stop());

const caught = async (): Promise<CaughtMail[]> => JSON.parse(await (await fetch(`${catcher.url}/api/messages`)).text());
/** Keeps mails as they come over the wire: the catcher shows what a person reads. */
async function aWire() {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      void text(stream).then((raw) => done(null, String(mails.push(raw))), done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
}

const mail = { to: 'ann@example.com', subject: 'About your return 7', text: 'Bring the lid.\n' };

test('a mail reaches the server, from the shop', async () => {
  const mailer = createMailer({ smtpUrl: catcher.smtpUrl, from: 'shop@example.com' });

  await mailer.send(mail);

  expect(mailer.isEnabled).toBe(true);
  expect(await caught()).toMatchObject([
    { from: 'shop@example.com', to: ['ann@example.com'], subject: 'About your return 7', text: 'Bring the lid.\n' },
  ]);
});

test('the key of a mail is its Message-ID on the wire, the same every time it is sent', async () => {
  const { url, mails, stop } = await aWire();
  const mailer = createMailer({ smtpUrl: url, from: 'The Shop <shop@example.com>' });

  await mailer.send({ ...mail, key: 'refund-42.1763757447.25' });
  await mailer.send({ ...mail, key: 'refund-42.1763757447.25' });
  await mailer.send(mail);
  await stop();

  const ids = mails.map((raw) => /^Message-ID: (<.+>)\r$/im.exec(raw)?.[1]);
  expect(ids.slice(0, 2)).toEqual(Array(2).fill('<refund-42.1763757447.25@example.com>'));
  expect(ids[2]).toEqual(expect.stringMatching(/^<.+@example\.com>$/));
  expect(ids[2]).not.toBe(ids[0]);
});

test('a header hidden in an address or a subject has no effect', async () => {
  const mailer = createMailer({ smtpUrl: catcher.smtpUrl, from: 'shop@example.com' });

  await mailer.send({ ...mail, subject: 'Hello\r\nBcc: eve@example.com' }).catch(() => undefined);

  for (const { to } of await caught()) expect(to).toEqual(['ann@example.com']);
});

test('a server that is away is a fault, and soon', async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${await freePort()}`, from: 'shop@example.com' });

  await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
});

test('a server whose every word is in time and whose last one never comes is given up, and left', async () => {
  const server = createServer((socket) => {
    socket.write('220 here\r\n');
    // One line of its greeting after the other, without an end.
    const talking = setInterval(() => socket.write('250-still here\r\n'), 20);
    const tired = setTimeout(() => socket.destroy(), 5_000);
    socket.on('error', () => undefined).resume();
    socket.on('close', () => {
      clearInterval(talking);
      clearTimeout(tired);
      server.emit('left');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const left = once(server, 'left');
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'shop@example.com', sendingMs: 300 });

  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'EABORT' });
  await left;
  server.close();
});

test('without SMTP_URL mail is switched off, and sending does nothing', async () => {
  const mailer = createMailer({ smtpUrl: undefined, from: 'shop@example.com' });

  expect(mailer.isEnabled).toBe(false);
  await mailer.send(mail);
});

test('a server that takes us in is there, also for eight who ask at once; one that is away is not', async () => {
  const { url, stop } = await aWire();
  const mailer = createMailer({ smtpUrl: url, from: 'shop@example.com' });
  const away = createMailer({ smtpUrl: `smtp://127.0.0.1:${await freePort()}`, from: 'shop@example.com' });

  expect(await eightAtOnce(() => mailer.isReachable())).toEqual(Array(8).fill(true));
  expect(await away.isReachable()).toBe(false);
  expect(await createMailer({ smtpUrl: undefined, from: 'shop@example.com' }).isReachable()).toBe(false);
  await stop();
});
