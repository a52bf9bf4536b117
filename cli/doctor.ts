import { checkApi } from './doctor/check-api.ts';
import { checkBacklog } from './doctor/check-backlog.ts';
import { checkCodes } from './doctor/check-codes.ts';
import { checkSettings } from './doctor/check-settings.ts';
import { checkDatabase } from './doctor/check-database.ts';
import { checkOutside } from './doctor/check-outside.ts';
import { checkPdf } from './doctor/check-pdf.ts';
import { checkProviders } from './doctor/check-providers.ts';
import { checkSecrets } from './doctor/check-secrets.ts';
import { checkTemporal } from './doctor/check-temporal.ts';
import { askTwice, ok } from './doctor/check.ts';
import { diagnosis } from './doctor/diagnosis.ts';
import type { Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

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

/** `doctor`: every dependency and setting, one line each, with the fix. The exit code fails when one is broken. */
export async function doctor(context: CommandContext): Promise<Answer> {
  const { ready, settings } = context;
  const origin = ready ? `of the service that runs in ${settings.POS_DATA_DIR}` : 'of the environment';
  const groups = await Promise.all(checks.map((check) => askTwice(() => check(context))));
  return diagnosis([ok('settings', origin), ...groups.flat()]);
}
