import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { readCodeLengths } from '../../db/self-checkout/read-code-lengths.ts';
import { definite, text } from '../../db/support/entity-columns.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { statement, type RowFrom } from '../../db/support/statement.ts';
import { oneTimeCodeTerms } from '../../domain/self-checkout.ts';
import { browserOwner, findChromium, type Chromium } from '../documents/browser.ts';
import { createPrinter } from '../documents/chromium-printer.ts';
import type { Settings } from '../settings.ts';
import { checkBacklog, checkDatabase, checkProviders, checkService, checkTemporal } from './check-temporal.ts';
import { askTwice, broken, ok, patienceMs, reasonOf, warning, type Check, type DoctorContext } from './check.ts';

/** The API of a running `npm start`. Elsewhere any number of APIs may run, and none is known here. */
export async function checkApi({ ready }: DoctorContext): Promise<Check[]> {
  if (ready === undefined) return [];
  const address = ready.api.replace(/\/rest$/, '');
  try {
    const { status } = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(patienceMs) });
    if (status === 200) return [ok('api', `answers at ${ready.api}`)];
    return [broken('api', `at ${ready.api} is not ready (${status})`, 'fix what is broken here, then check again')];
  } catch (error) {
    return [broken('api', `${ready.api} does not answer (${reasonOf(error)})`, 'run npm start, or look into its log')];
  }
}

/** With fewer digits, a day of patient guessing finds one code in seventeen (decision 7). */
const safeLength = 6;

/** How hard a kiosk's codes are to guess. */
async function checkCodes({ em: connect }: DoctorContext): Promise<Check[]> {
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

/** Outside services: licenses, customers' credit, and mail. */
export const checkOutside = async (context: DoctorContext): Promise<Check[]> => {
  const { settings } = context;
  const groups = await Promise.all([
    license(settings.LICENSE_SERVICE_URL),
    credits(settings.CREDIT_SERVICE_URL),
    prices(settings.PRICE_SERVICE_URL),
    insights(settings.INSIGHTS_SERVICE_URL),
    checkMail(context),
  ]);
  return groups.flat();
};

async function license(url: string | undefined): Promise<Check[]> {
  if (url === undefined) return [ok('license', 'no service is set: an administrator grants licenses')];
  const meanwhile = 'licensed registers still work';
  return [await checkService({ name: 'license', url, what: 'service', variable: 'LICENSE_SERVICE_URL', meanwhile })];
}

/** Sales paid with its credit wait for it. */
const credits = async (url: string | undefined): Promise<Check[]> =>
  url === undefined
    ? []
    : [await checkService({ name: 'credits', url, what: 'service', variable: 'CREDIT_SERVICE_URL' })];

/** Without it the prices of its customers are unknown. */
const prices = async (url: string | undefined): Promise<Check[]> =>
  url === undefined
    ? []
    : [await checkService({ name: 'prices', url, what: 'service', variable: 'PRICE_SERVICE_URL' })];

/** Without it a profile has fewer sections; nothing else is lost. */
async function insights(url: string | undefined): Promise<Check[]> {
  if (url === undefined) return [];
  const meanwhile = 'profiles are shown without its sections';
  return [await checkService({ name: 'insights', url, what: 'service', variable: 'INSIGHTS_SERVICE_URL', meanwhile })];
}

/**
 * The browser that makes PDFs of receipts, and the letters it can draw. Without one everything else works, and mails say
 * that they have no PDF.
 */
export async function checkPdf({ settings }: DoctorContext): Promise<Check[]> {
  const input = { path: settings.CHROMIUM_PATH, cacheFolder: join(settings.POS_DATA_DIR, 'cache') };
  const found = await findChromium(input).catch(reasonOf);
  const fix = 'install chromium-headless-shell, or set CHROMIUM_PATH';
  return typeof found === 'string' ? [warning('pdf', found, fix)] : [ownership(found, settings), await letters(input)];
}

type Input = Pick<Parameters<typeof createPrinter>[0], 'path' | 'cacheFolder'>;

/** Draws a letter of each script, as a receipt would. */
async function letters(input: Input): Promise<Check> {
  const printer = createPrinter({ ...input, log: { info: () => undefined, warn: () => undefined } });
  try {
    const undrawn = await printer.undrawn();
    return undrawn.length === 0
      ? ok(
          'letters',
          'a PDF shows Latin, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese, Korean, Thai, Hindi, Tamil, emoji',
        )
      : warning(
          'letters',
          `a PDF does not show letters of: ${undrawn.join(', ')}`,
          'run npm ci, or install a font of them',
        );
  } catch (error) {
    return warning(
      'letters',
      `no PDF can be made (${reasonOf(error)})`,
      'install chromium-headless-shell, or set CHROMIUM_PATH',
    );
  } finally {
    await printer.close();
  }
}

function ownership(found: Chromium, settings: Settings): Check {
  const owner = browserOwner(settings.CHROMIUM_USER);
  const made = `made by ${found.path}`;
  if (owner.user) return ok('pdf', `${made}, run by user ${owner.user.name} where the worker starts like this`);
  return settings.CHROMIUM_USER === undefined
    ? ok('pdf', `${made}, run by the worker’s own user: ${owner.reason}`)
    : warning(
        'pdf',
        `CHROMIUM_USER asks for a user of its own, but ${owner.reason}`,
        'start the worker as root, or unset CHROMIUM_USER',
      );
}

const name = 'secret key';

/** The secret key: it exists, and it opens the sealed values. */
async function checkSecrets({ em: connect, secrets }: DoctorContext): Promise<Check[]> {
  let box: SecretBox;
  try {
    box = secrets();
  } catch (error) {
    const fix = 'set POS_SECRET_KEY to 32 bytes in base64: openssl rand -base64 32';
    return [broken(name, reasonOf(error).split(';')[0] ?? '', fix)];
  }
  try {
    return [opens(box, await readSealed.all(await connect()))];
  } catch {
    // A new key would make every sealed setting unreadable. The fault is the database, and its own line says so.
    return [warning(name, 'not checked: the database is away, or is not ours', 'fix the database first')];
  }
}

const readSealed = statement({
  takes: {},
  gives: { path: text, value: definite(text) },
  text: 'select path, value from config_value where is_encrypted and value is not null',
});

type SealedRow = RowFrom<typeof readSealed>;

function opens(box: SecretBox, rows: readonly SealedRow[]): Check {
  const closed = rows.find((row) => !isOpenedBy(box, row));
  if (closed === undefined)
    return ok(name, rows.length === 0 ? 'set; nothing is sealed yet' : `opens all ${rows.length} sealed settings`);
  const fix = 'set POS_SECRET_KEY to the key it was sealed with, or set the setting again';
  return broken(name, `does not open ${closed.path}`, fix);
}

function isOpenedBy(box: SecretBox, { path, value }: SealedRow): boolean {
  try {
    box.open(value, path);
    return true;
  } catch {
    return false;
  }
}

/** Settings that name records, one or several with commas between; a limit of a group is `2:5000`. */
const records = {
  'vendor_pos_terminal/catalog/categories': 'select entity_id::text from category',
  'vendor_pos_terminal/catalog/custom_sale_sku': 'select lower(sku) from product',
  'vendor_pos_terminal/credits/excluded_skus': 'select lower(sku) from product',
  'vendor_pos_terminal/orders/default_status': 'select status from sales_order_status',
  'vendor_pos_terminal/pickup/completed_status_code': 'select status from sales_order_status',
  'vendor_pos_advanced/credit_limits/groups': 'select id::text from customer_group',
  'customer/create_account/default_group': 'select id::text from customer_group',
} as const;

/** More are shown by `config get`. */
const mostShown = 20;

/** Settings that name a category, a product, a status or a group that is not there: they do nothing, without a word. */
export async function checkSettings({ em: connect }: DoctorContext): Promise<Check[]> {
  try {
    const found = await missing.all(await connect());
    if (found.length === 0) return [ok('named records', 'what settings name is there')];
    return found.map(({ path, name }) =>
      warning(
        'settings',
        `${path} names ${JSON.stringify(name)}, which is not there`,
        `npm run pos -- config set ${path} …`,
      ),
    );
  } catch {
    // Without a database there is nothing to report here; the database's own line gives the reason.
    return [];
  }
}

const missing = statement({
  takes: {},
  gives: { path: definite(text), name: definite(text) },
  text: `
    with named as (
      select distinct path, split_part(trim(n), ':', 1) as name
      from config_value, unnest(string_to_array(value, ',')) as n
      where not is_encrypted and trim(n) <> '')
    ${Object.entries(records)
      .map(([path, known]) => `select path, name from named where path = '${path}' and lower(name) not in (${known})`)
      .join(' union all ')}
    order by path, name limit ${mostShown}`,
});

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
