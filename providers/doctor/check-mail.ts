import { createTransport } from 'nodemailer';
import type { Settings } from '../settings.ts';
import { broken, ok, patienceMs, reasonOf, warning, type Check, type DoctorContext } from './check.ts';

/** The mail server, the sender's address, and the operators' address for uncertain refunds. */
export async function checkMail({ settings, ready }: DoctorContext): Promise<Check[]> {
  const mail = await way(settings.SMTP_URL, ready?.mail ?? undefined);
  return [mail, ...sender(settings), alarms(settings, mail)];
}

async function way(smtp: string | undefined, catcher: string | undefined): Promise<Check> {
  try {
    if (smtp !== undefined) return await relay(smtp);
    if (catcher === undefined) return warning('mail', 'no relay is set: no mail is sent', 'set SMTP_URL');
    const response = await fetch(`${catcher}/api/messages`, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return ok('mail', `caught at ${catcher}`);
  } catch (error) {
    return broken(
      'mail',
      `${smtp === undefined ? 'the mail catcher' : 'the relay'} does not answer (${reasonOf(error)})`,
      smtp === undefined ? 'run npm start' : 'correct SMTP_URL',
    );
  }
}

/** Connects and signs in, as each mail does. */
async function relay(url: string): Promise<Check> {
  const transport = createTransport({ url, connectionTimeout: patienceMs, greetingTimeout: patienceMs });
  try {
    await transport.verify();
    return ok('mail', `relay at ${new URL(url).host}`);
  } finally {
    transport.close();
  }
}

/** A relay refuses mail from an address without an owner, or a reader distrusts it. */
function sender({ SMTP_URL: smtp, MAIL_FROM: from }: Settings): Check[] {
  if (smtp === undefined) return [];
  return isExample(from)
    ? [warning('sender', `mail comes from ${from}, which is nobody's`, 'set MAIL_FROM')]
    : [ok('sender', from)];
}

const isExample = (address: string) => /@([\w-]+\.)*example(\.(com|net|org))?>?$/i.test(address.trim());

function alarms({ REFUND_ALERT_EMAIL: to, REFUND_ALERT_AFTER_MINUTES: minutes }: Settings, mail: Check): Check {
  if (to === undefined)
    return warning(
      'alarms',
      'no address is set: the first administrator hears of refunds in doubt',
      'set REFUND_ALERT_EMAIL',
    );
  if (mail.state !== 'ok') return broken('alarms', `${to} cannot get mail: ${mail.says}`, mail.fix ?? '');
  return ok('alarms', `${to} gets a mail when a refund is uncertain for ${minutes} min, for 4 h, for a day`);
}
