import { createMailActivities, type MailSent } from '../../activities/mails.ts';
import type { Mail, Mailer } from '../../providers/mail.ts';
import { testApi, type TestApi, type TestApiOptions } from './api.ts';
import { aTerminal, secretKey } from './builders/counter.ts';
import { booksOf } from './books.ts';
import { aShop } from './builders/shop.ts';
import { silent } from './fakes.ts';

/** A mail server with answers that the test sets. It keeps what it accepted. */
export class KeepingMailer implements Mailer {
  isEnabled = true;
  isThere = true;
  took: Mail[] = [];
  fault: Error | undefined;

  isReachable = () => Promise.resolve(this.isThere);

  send(mail: Mail): Promise<void> {
    if (this.fault) return Promise.reject(this.fault);
    this.took.push(mail);
    return Promise.resolve();
  }
}

/** A shop with a kiosk, whose mails go out when the test says so, and its books. */
export interface KioskShop extends ReturnType<typeof booksOf> {
  api: TestApi;
  mail: KeepingMailer;
  terminalId: number;
  /** Mails whose workflow was started, in order. */
  begun: number[];
  /** What happens when a mail's workflow is started; absent: it is recorded. */
  whenBegun: { fails?: Error };
  request: (email: string, more?: { terminalId?: number; headers?: Record<string, string> }) => Asked;
  verify: (email: string, code: unknown, more?: { terminalId?: number; headers?: Record<string, string> }) => Asked;
  /** Sends every started mail that is not sent yet, and returns the results. */
  sendMails: () => Promise<string[]>;
  sendMail: (mailId: number) => Promise<MailSent>;
  /** Requests a code and reads it from the mail. */
  codeFor: (email: string) => Promise<string>;
  customer: (email: string, more?: Record<string, unknown>) => Promise<number>;
  set: (path: string, value: string) => Promise<void>;
  close: () => Promise<void>;
}
type Asked = ReturnType<TestApi['call']>;

let shoppers = 0;
/** A new e-mail address. */
export const anEmail = () => `shopper-${++shoppers}@shop.test`;

export async function aKioskShop(options: TestApiOptions = {}): Promise<KioskShop> {
  const mail = new KeepingMailer();
  const begun: number[] = [];
  const whenBegun: KioskShop['whenBegun'] = {};
  const api = await testApi({
    ...options,
    settings: { POS_SECRET_KEY: secretKey, ...options.settings },
    providers: { mail },
    workflows: {
      ask: () => Promise.reject(new Error('nothing is asked here')),
      signal: () => Promise.resolve(),
      refuseWhileAway: async () => undefined,
      isReachable: () => Promise.resolve(true),
      start({ input }) {
        if (whenBegun.fails) return Promise.reject(whenBegun.fails);
        begun.push((input as { mailId: number }).mailId);
        return Promise.resolve();
      },
    },
  });
  const em = () => api.orm.em.fork();
  const { locationId } = await aShop(em());
  const { terminalId } = await aTerminal(em(), { locationId });
  const activities = createMailActivities({
    orm: api.orm,
    providers: { ...api.workerProviders(), mail },
    log: silent,
    alarmsTo: undefined,
    publicUrl: api.url,
    pageOf: () => undefined,
    publicBaseUrl: undefined,
  });
  const post = (path: string, request: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', `/V1/pos/self-checkout/otp/${path}`, { token: api.tokens.register, body: { request }, headers });

  const books = booksOf(() => api.orm);

  const shop: KioskShop = {
    ...books,
    api,
    mail,
    terminalId,
    begun,
    whenBegun,
    request: (email, { headers, ...more } = {}) => post('request', { email, terminalId, ...more }, headers),
    verify: (email, code, { headers, ...more } = {}) => post('verify', { email, code, terminalId, ...more }, headers),
    sendMail: (mailId) => activities.sendMail({ mailId }),
    async sendMails() {
      const states: string[] = [];
      for (const mailId of begun.splice(0)) states.push((await activities.sendMail({ mailId })).state);
      return states;
    },
    async codeFor(email) {
      const { status, body } = await shop.request(email);
      if (status !== 200) throw new Error(`no code for ${email}: ${JSON.stringify(body)}`);
      await shop.sendMails();
      return codeIn(mail.took.at(-1));
    },
    async customer(email, more = {}) {
      const customer = { email, firstname: 'Ada', lastname: 'Lovelace', ...more };
      return (await api.call('POST', '/V1/customers', { token: api.tokens.admin, body: { customer } })).body.id;
    },
    set: books.configure,
    close: () => api.close(),
  };
  return shop;
}

/** The digits that stand alone in a line of the mail. */
export function codeIn(mail: Pick<Mail, 'text'> | undefined): string {
  const [, code] = /^ {4}(\d{4,10})$/m.exec(mail?.text ?? '') ?? [];
  if (code === undefined) throw new Error('no mail with a code came');
  return code;
}
