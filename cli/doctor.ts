import { ok } from '../providers/doctor/check.ts';
import { diagnose } from '../providers/doctor/diagnose.ts';
import { diagnosis, type Answer, type CommandContext } from './support.ts';

/** `doctor`: every dependency and setting, one line each, with the fix. The exit code fails when one is broken. */
export async function doctor(context: CommandContext): Promise<Answer> {
  const { ready, settings } = context;
  const origin = ok('settings', (w) => (ready ? w.ofTheService(settings.POS_DATA_DIR) : w.ofTheEnvironment));
  return diagnosis([origin, ...(await diagnose(context))]);
}
