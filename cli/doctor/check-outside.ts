import type { Surroundings } from '../support/surroundings.ts';
import { checkMail } from './check-mail.ts';
import { ok, patienceMs, reasonOf, warning, type Check } from './check.ts';

/** What lies outside: the license service, and the way mail goes out. */
export const checkOutside = async (surroundings: Surroundings): Promise<Check[]> => {
  const { settings } = surroundings;
  const groups = await Promise.all([
    license(settings.LICENSE_SERVICE_URL).then((check) => [check]),
    checkMail(surroundings),
  ]);
  return groups.flat();
};

/** Whatever it answers, it is there; registers that are licensed go on while it is not. */
async function license(url: string | undefined): Promise<Check> {
  if (url === undefined) return ok('license', 'no service is set: an administrator grants licenses');
  try {
    await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    return ok('license', `service at ${url}`);
  } catch (error) {
    return warning(
      'license',
      `the service at ${url} does not answer (${reasonOf(error)}); registers that are licensed go on`,
      'run npm start, or correct LICENSE_SERVICE_URL',
    );
  }
}
