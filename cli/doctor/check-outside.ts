import { createTransport } from 'nodemailer';
import type { Surroundings } from '../support/surroundings.ts';
import { broken, ok, patienceMs, reasonOf, warning, type Check } from './check.ts';

/** What lies outside: the gateway simulator where one is used, and the way mail goes out. */
export const checkOutside = ({ settings, ready }: Surroundings): Promise<Check[]> =>
  Promise.all([gateway(settings.GATEWAY_SIMULATOR_URL), mail(settings.SMTP_URL, ready?.mail ?? undefined)]);

async function gateway(url: string | undefined): Promise<Check> {
  if (url === undefined) return ok('gateway', 'no simulator is set: refunds go to the real gateways');
  try {
    const response = await fetch(`${url}/cents`, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return ok('gateway', `simulator at ${url}`);
  } catch (error) {
    return broken(
      'gateway',
      `the simulator at ${url} does not answer (${reasonOf(error)})`,
      'run npm start, or unset GATEWAY_SIMULATOR_URL',
    );
  }
}

async function mail(smtp: string | undefined, catcher: string | undefined): Promise<Check> {
  try {
    if (smtp !== undefined) return await relay(smtp);
    if (catcher === undefined) return warning('mail', 'no relay is set: nobody gets mail', 'set SMTP_URL');
    const response = await fetch(`${catcher}/api/messages`, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return ok('mail', `caught at ${catcher}`);
  } catch (error) {
    return broken(
      'mail',
      `${smtp === undefined ? 'the mail catcher' : 'the relay'} does not answer (${reasonOf(error)})`,
      'correct SMTP_URL',
    );
  }
}

async function relay(url: string): Promise<Check> {
  const transport = createTransport({ url, connectionTimeout: patienceMs, greetingTimeout: patienceMs });
  try {
    await transport.verify();
    return ok('mail', `relay at ${new URL(url).host}`);
  } finally {
    transport.close();
  }
}
