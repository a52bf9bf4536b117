import { checkApi } from './check-api.ts';
import { checkBacklog } from './check-backlog.ts';
import { checkCodes } from './check-codes.ts';
import { checkDatabase } from './check-database.ts';
import { checkOutside } from './check-outside.ts';
import { checkPdf } from './check-pdf.ts';
import { checkProviders } from './check-providers.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkTemporal } from './check-temporal.ts';
import { askTwice, type Check, type DoctorContext } from './check.ts';

const checks = [
  checkApi,
  checkDatabase,
  checkTemporal,
  checkProviders,
  checkOutside,
  checkPdf,
  checkSecrets,
  checkSettings,
  checkCodes,
  checkBacklog,
];

/** Every dependency and setting, one line each, with what to do. */
export async function diagnose(context: DoctorContext): Promise<Check[]> {
  const groups = await Promise.all(checks.map((check) => askTwice(() => check(context))));
  return groups.flat();
}
