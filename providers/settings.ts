import { existsSync } from 'node:fs';
import { z } from 'zod';
import { isTimeZone } from '../domain/local-day.ts';

const wholeNumber = (least: number, most: number) => {
  const allowed = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(allowed).int(allowed).min(least, allowed).max(most, allowed);
};
const port = wholeNumber(0, 65_535);
const url = z.url('must be an address such as https://shop.example:8443');
const flag = z.enum(['0', '1', 'true', 'false']).transform((word) => word === '1' || word === 'true');

/** Every environment variable of the product, with its permitted values. `.env.example` documents the same list. */
export const settingsSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  /** How long the API still takes new requests after it was told to end; readiness is 503 meanwhile. */
  DRAIN_DELAY_SECONDS: wholeNumber(0, 300).default(0),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  DATABASE_APP_ROLE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a name of small letters, digits and _')
    .optional(),
  DATABASE_APP_PASSWORD: z.string().optional(),
  /** How long a caller may wait for the database: for a connection, a lock, an answer; see `DatabaseLimits`. */
  DATABASE_CONNECT_SECONDS: wholeNumber(1, 60).default(3),
  DATABASE_LOCK_SECONDS: wholeNumber(1, 60).default(3),
  DATABASE_STATEMENT_SECONDS: wholeNumber(1, 600).default(10),
  DATABASE_IDLE_SECONDS: wholeNumber(1, 600).default(15),
  /** Below the three minutes that a sweep has (`sweeping`). */
  DATABASE_BATCH_SECONDS: wholeNumber(1, 170).default(120),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^:/]+:\d+$/, 'must be host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('pos'),
  TEMPORAL_UI_URL: url.optional(),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS_CA: z.string().min(1).optional(),
  TEMPORAL_TASK_QUEUE: z.string().min(1).default('pos'),
  /**
   * The build that this worker is, such as a release: with it workers of two builds share the work by Worker
   * Versioning.
   */
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^[\w][\w.+-]{0,99}$/, 'must be letters, digits and . _ + -, at most 100')
    .optional(),
  /** The name under which the server knows all builds of ours. */
  TEMPORAL_DEPLOYMENT: z
    .string()
    .regex(/^[a-z][\w-]{0,62}$/i, 'must be a name of letters, digits, _ and -')
    .default('point-of-sale'),
  TEMPORAL_BIN: z.string().min(1).optional(),
  POS_DATA_DIR: z.string().min(1).default('.data'),
  POS_SECRET_KEY: z.string().refine(isSecretKey, 'must be 32 bytes in base64').optional(),
  /** Earlier keys, with commas between: they still open what they sealed, and seal nothing. */
  POS_SECRET_KEY_OLD: z
    .string()
    .default('')
    .transform((keys) => keys.split(',').map((key) => key.trim()))
    .transform((keys) => keys.filter((key) => key !== ''))
    .refine((keys) => keys.every(isSecretKey), 'must be keys of 32 bytes in base64, with commas between'),
  /** The password of the administrator that `pos user create` makes. */
  POS_USER_PASSWORD: z.string().optional(),
  POS_DEMO: flag.default(false),
  /** Paths of modules with gateways, providers and routes of one's own, with commas between: `extensions.ts`. */
  POS_EXTENSIONS: z.string().default(''),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp://')
    .optional(),
  MAIL_FROM: z.string().min(3, 'must be an e-mail address').default('shop@example.com'),
  PUBLIC_BASE_URL: url.optional(),
  /** The browser that makes PDFs; absent: the system's, else that of the npm package. */
  CHROMIUM_PATH: z.string().min(1).optional(),
  /** As whom it runs, a name or a number, where the worker may change users; absent: as the worker's user. */
  CHROMIUM_USER: z.string().min(1).optional(),
  TRUSTED_PROXIES: z.string().default(''),
  /** Open connections of one address, and requests at once of one forwarded address; 0: any number. */
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(0, 100_000).default(500),
  /** Bytes of request bodies that are held at a time by one process; a bulk alone may have 32 MB. */
  MAX_BODY_BYTES_IN_FLIGHT: wholeNumber(33_554_432, 17_179_869_184).default(268_435_456),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['pretty', 'json']).default('json'),
  GATEWAY_SIMULATOR_URL: url.optional(),
  /** A gateway's timeout for a refund; after it the outcome is looked up. */
  GATEWAY_TIMEOUT_SECONDS: wholeNumber(1, 60).default(20),
  /** The delay before the first automatic look-up of an uncertain refund; 0 switches look-ups off. */
  RECONCILE_AFTER_SECONDS: wholeNumber(0, 86_400).default(60),
  CREDIT_SERVICE_URL: url.optional(),
  CREDIT_SERVICE_KEY: z.string().min(1).optional(),
  CREDIT_SERVICE_KIND: z.enum(['gift_card', 'store_credit']).default('gift_card'),
  /** Who gets a mail about an uncertain refund; absent: the first administrator. After so long: 0 is at once. */
  REFUND_ALERT_EMAIL: z.email('must be an e-mail address').optional(),
  REFUND_ALERT_AFTER_MINUTES: wholeNumber(0, 10_080).default(0),
  /** Who gets the mail that comes after a day; absent: the same. */
  REFUND_ESCALATION_EMAIL: z.email('must be an e-mail address').optional(),
  LICENSE_SERVICE_URL: url.optional(),
  LICENSE_SERVICE_KEY: z.string().min(1).optional(),
  INSIGHTS_SERVICE_URL: url.optional(),
  INSIGHTS_SERVICE_KEY: z.string().min(1).optional(),
  PRICE_SERVICE_URL: url.optional(),
  PRICE_SERVICE_KEY: z.string().min(1).optional(),
  RETURNS_SERVICE_URL: url.optional(),
  RETURNS_SERVICE_KEY: z.string().min(1).optional(),
  /** The timeout for taking a return on; a register waits for it. */
  RETURNS_TIMEOUT_SECONDS: wholeNumber(1, 15).default(10),
  /**
   * Webhooks may go to addresses of the shop's own network, and by plain HTTP. Off: to public addresses by HTTPS only.
   */
  WEBHOOKS_TO_PRIVATE_NETWORKS: flag.default(false),
  /** Of the worker; where several run on one machine each needs its own. */
  METRICS_PORT: port.default(9464),
  /** Of the API; absent: it serves none. */
  API_METRICS_PORT: port.optional(),
  /** Where both listen: metrics tell of money, so they are for this machine unless somebody says otherwise. */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** Where traces go, and which; the exporter reads its other standard variables itself. Absent: none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([
      ...(['always_on', 'always_off', 'traceidratio'] as const),
      ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be from 0 to 1')
    .min(0, 'must be from 0 to 1')
    .max(1, 'must be from 0 to 1')
    .default(1),
  /** One line of the log for each request. */
  LOG_REQUESTS: flag.default(true),
  WORKFLOW_BUNDLE: z.string().min(1).optional(),
  TZ_SERVER: z
    .string()
    .refine((zone) => isTimeZone(zone), 'must be a time zone such as Europe/Berlin')
    .default('UTC'),
});

export type Settings = z.output<typeof settingsSchema>;

/** Stops a start: its message is one sentence with the variable, its value and the permitted values. */
export class WrongSetting extends Error {
  override name = 'WrongSetting';
}

/** Parses the environment once. Throws `WrongSetting` for the first variable that is wrong. */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const input = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settingsSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'a setting');
  throw new WrongSetting(
    `${name} is ${JSON.stringify(shown(name, input[name]))}, but ${issue?.message ?? 'that is not allowed'}.`,
  );
}

/** The settings of this process: `.env` where it exists, overridden by the environment. */
export function loadSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseSettings(process.env);
}

/** The shop's public address, for links in mails. */
export function publicUrlOf({ PUBLIC_BASE_URL: url, HOST, PORT }: Settings): string {
  const address = url ?? `http://${HOST}:${PORT}`;
  return address.endsWith('/') ? address.slice(0, -1) : address;
}

/** Host, port and name of a database; never the password. */
export function addressOf(databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return 'an unknown address';
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** A setting without which the process cannot run. Throws `WrongSetting` with what to do. */
export function required<Name extends 'DATABASE_URL' | 'TEMPORAL_ADDRESS' | 'POS_SECRET_KEY'>(
  settings: Settings,
  name: Name,
): string {
  const value = settings[name];
  if (value === undefined)
    throw new WrongSetting(`${name} is not set; set it, or use npm start, which starts everything.`);
  return value;
}

/** Start-up errors end up in logs and mails, so they never show a secret. */
function shown(name: string, value: string | undefined): string | undefined {
  if (/KEY|TOKEN|SECRET|PASSWORD/.test(name)) return '(hidden)';
  return /URL|ADDRESS/.test(name)
    ? value?.replace(userInfo, '$1(hidden)@').replaceAll(passwordWord, '$1(hidden)')
    : value;
}

/** The user name and password of an address, whatever stands before them and whatever characters they contain. */
const userInfo = /^([a-z][\w+.-]*:\/\/)?.*@/is;
const passwordWord = /(passw(?:or)?d=)[^&\s]*/gi;

function isSecretKey(key: string): boolean {
  return Buffer.from(key, 'base64').length === 32;
}
