import { readCodeLengths } from '../../db/self-checkout/read-code-lengths.ts';
import { oneTimeCodeTerms } from '../../domain/self-checkout/one-time-code.ts';
import { ok, warning, type Check, type DoctorContext } from './check.ts';

/** With fewer digits, a day of patient guessing finds one code in seventeen (decision 7). */
const safeLength = 6;

/** How hard a kiosk's codes are to guess. */
export async function checkCodes({ em: connect }: DoctorContext): Promise<Check[]> {
  try {
    const lengths = (await readCodeLengths(await connect())).map((value) => oneTimeCodeTerms(() => value).length);
    const shortest = Math.min(safeLength, ...lengths);
    if (shortest >= safeLength) return [ok('kiosk codes', 'are long enough')];
    const fix = `npm run pos -- config set vendor_pos_advanced/self_checkout/otp_length ${safeLength}`;
    return [warning('kiosk codes', `have ${shortest} digits: too easy to guess`, fix)];
  } catch {
    // Without a database there is nothing to report here; the database's own line gives the reason.
    return [];
  }
}
