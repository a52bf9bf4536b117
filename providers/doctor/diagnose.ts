import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { readCodeLengths } from '../../db/self-checkout/read-code-lengths.ts';
import { definite, text } from '../../db/support/entity-columns.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { sql } from '../../db/support/sql.ts';
import type { RowFrom } from '../../db/support/statement.ts';
import { oneTimeCodeTerms } from '../../domain/self-checkout.ts';
import { browserOwner, findChromium, type Chromium } from '../documents/browser.ts';
import { createPrinter } from '../documents/chromium-printer.ts';
import type { Settings } from '../settings.ts';
import { checkDatabase } from './check-database.ts';
import { checkBacklog, checkProviders, checkService, checkTemporal } from './check-temporal.ts';
import { checkNights } from './check-upkeep.ts';
import {
  askTwice,
  broken,
  inWords,
  ok,
  patienceMs,
  reasonOf,
  warning,
  type Check,
  type DoctorContext,
} from './check.ts';
import type { DoctorWords } from './words.ts';

/** The API of a running `npm start`. Elsewhere any number of APIs may run, and none is known here. */
export async function checkApi({ ready }: DoctorContext): Promise<Check[]> {
  if (ready === undefined) return [];
  const address = ready.api.replace(/\/rest$/, '');
  try {
    const { status } = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(patienceMs) });
    if (status === 200) return [ok('api', (w) => w.apiAnswers(ready.api))];
    return [
      broken(
        'api',
        (w) => w.apiNotReady(ready.api, status),
        (w) => w.fixTheOthers,
      ),
    ];
  } catch (error) {
    const reason = reasonOf(error);
    return [
      broken(
        'api',
        (w) => w.apiAway(ready.api, reason),
        (w) => w.startOrLook,
      ),
    ];
  }
}

/** With fewer digits, a day of patient guessing finds one code in seventeen (decision 7). */
const safeLength = 6;

/** How hard a kiosk's codes are to guess. */
async function checkCodes({ em: connect }: DoctorContext): Promise<Check[]> {
  try {
    const lengths = (await readCodeLengths(await connect())).map((value) => oneTimeCodeTerms(() => value).length);
    const shortest = Math.min(safeLength, ...lengths);
    if (shortest >= safeLength) return [ok('kiosk codes', (w) => w.longEnough)];
    const fix = `npm run pos -- config set vendor_pos_advanced/self_checkout/otp_length ${safeLength}`;
    return [warning('kiosk codes', (w) => w.tooShort(shortest), fix)];
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
    if (catcher === undefined) return noMail;
    const response = await fetch(`${catcher}/api/messages`, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return ok('mail', (w) => w.caught(catcher));
  } catch (error) {
    const reason = reasonOf(error);
    return broken(
      'mail',
      (w) => (smtp === undefined ? w.catcherAway(reason) : w.relayAway(reason)),
      (w) => (smtp === undefined ? w.start : w.correct('SMTP_URL')),
    );
  }
}

const noMail = warning(
  'mail',
  (w) => w.noMail,
  (w) => w.set('SMTP_URL'),
);

/** Connects and signs in, as each mail does. */
async function relay(url: string): Promise<Check> {
  const transport = createTransport({ url, connectionTimeout: patienceMs, greetingTimeout: patienceMs });
  try {
    await transport.verify();
    return ok('mail', (w) => w.relay(new URL(url).host));
  } finally {
    transport.close();
  }
}

/** A relay refuses mail from an address without an owner, or a reader distrusts it. */
function sender({ SMTP_URL: smtp, MAIL_FROM: from }: Settings): Check[] {
  if (smtp === undefined) return [];
  return isExample(from)
    ? [
        warning(
          'sender',
          (w) => w.nobodysAddress(from),
          (w) => w.set('MAIL_FROM'),
        ),
      ]
    : [ok('sender', from)];
}

const isExample = (address: string) => /@([\w-]+\.)*example(\.(com|net|org))?>?$/i.test(address.trim());

function alarms({ REFUND_ALERT_EMAIL: to, REFUND_ALERT_AFTER_MINUTES: minutes }: Settings, mail: Check): Check {
  if (to === undefined)
    return warning(
      'alarms',
      (w) => w.noAlarms,
      (w) => w.set('REFUND_ALERT_EMAIL'),
    );
  if (mail.state !== 'ok') return broken('alarms', (w) => w.alarmsFail(to, inWords(mail.says, w)), mail.fix ?? '');
  return ok('alarms', (w) => w.alarms(to, minutes));
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
  if (url === undefined) return [ok('license', (w) => w.noLicenseService)];
  const meanwhile = (w: DoctorWords) => w.licensedStillWork;
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
  const meanwhile = (w: DoctorWords) => w.profilesShorter;
  return [await checkService({ name: 'insights', url, what: 'service', variable: 'INSIGHTS_SERVICE_URL', meanwhile })];
}

/**
 * The browser that makes PDFs of receipts, and the letters it can draw. Without one everything else works, and mails
 * say that they have no PDF.
 */
export async function checkPdf({ settings }: DoctorContext): Promise<Check[]> {
  const input = { path: settings.CHROMIUM_PATH, cacheFolder: join(settings.POS_DATA_DIR, 'cache') };
  const found = await findChromium(input).catch(reasonOf);
  return typeof found === 'string'
    ? [warning('pdf', found, (w) => w.noBrowser)]
    : [ownership(found, settings), await letters(input)];
}

type Input = Pick<Parameters<typeof createPrinter>[0], 'path' | 'cacheFolder'>;

/** Draws a letter of each script, as a receipt would. */
async function letters(input: Input): Promise<Check> {
  const printer = createPrinter({ ...input, log: { info: () => undefined, warn: () => undefined } });
  try {
    const undrawn = await printer.undrawn();
    return undrawn.length === 0
      ? ok('letters', (w) => w.scripts)
      : warning(
          'letters',
          (w) => w.scriptsMissing(undrawn.join(', ')),
          (w) => w.installFont,
        );
  } catch (error) {
    const reason = reasonOf(error);
    return warning(
      'letters',
      (w) => w.noPdf(reason),
      (w) => w.noBrowser,
    );
  } finally {
    await printer.close();
  }
}

function ownership(found: Chromium, settings: Settings): Check {
  const owner = browserOwner(settings.CHROMIUM_USER);
  const { user } = owner;
  if (user) return ok('pdf', (w) => w.madeByUser(found.path, user.name));
  return settings.CHROMIUM_USER === undefined
    ? ok('pdf', (w) => w.madeByWorker(found.path, owner.reason))
    : warning(
        'pdf',
        (w) => w.noUserOfItsOwn(owner.reason),
        (w) => w.startAsRoot,
      );
}

const name = 'secret key';

/** The secret key: it exists, and it opens the sealed values. */
async function checkSecrets({ em: connect, secrets }: DoctorContext): Promise<Check[]> {
  let box: SecretBox;
  try {
    box = secrets();
  } catch (error) {
    return [broken(name, reasonOf(error).split(';')[0] ?? '', (w) => w.makeKey)];
  }
  try {
    return [opens(box, await readSealed.all(await connect()))];
  } catch {
    // A new key would make every sealed setting unreadable. The fault is the database, and its own line says so.
    return [
      warning(
        name,
        (w) => w.keyNotChecked,
        (w) => w.databaseFirst,
      ),
    ];
  }
}

const readSealed = sql('diagnose.readSealed', { gives: { value: definite(text) } })`
  select path, value from config_value where is_encrypted and value is not null`;

type SealedRow = RowFrom<typeof readSealed>;

function opens(box: SecretBox, rows: readonly SealedRow[]): Check {
  const closed = rows.find((row) => !isOpenedBy(box, row));
  if (closed === undefined) return ok(name, (w) => (rows.length === 0 ? w.nothingSealed : w.opensAll(rows.length)));
  return broken(
    name,
    (w) => w.doesNotOpen(closed.path),
    (w) => w.setKeyAgain,
  );
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
    if (found.length === 0) return [ok('named records', (w) => w.recordsThere)];
    return found.map(({ path, name }) =>
      warning('settings', (w) => w.recordMissing(path, JSON.stringify(name)), `npm run pos -- config set ${path} …`),
    );
  } catch {
    // Without a database there is nothing to report here; the database's own line gives the reason.
    return [];
  }
}

const missing = sql('diagnose.missing')`
  with named as (
    select distinct path, split_part(trim(n), ':', 1) as name
    from config_value, unnest(string_to_array(value, ',')) as n
    where not is_encrypted and trim(n) <> '')
  ${Object.entries(records)
    .map(([path, known]) => `select path, name from named where path = '${path}' and lower(name) not in (${known})`)
    .join(' union all ')}
  order by path, name limit ${mostShown}`;

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
  checkNights,
];

/** Every dependency and setting, one line each, with what to do. */
export async function diagnose(context: DoctorContext): Promise<Check[]> {
  const groups = await Promise.all(checks.map((check) => askTwice(() => check(context))));
  return groups.flat();
}
