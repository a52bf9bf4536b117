import type { MikroORM } from '@mikro-orm/postgresql';
import { readGatewaySettings } from '../db/configuration/read-gateway-settings.ts';
import { readStoreSetting } from '../db/configuration/read-store-setting.ts';
import { createSecretBox, type SecretBox } from '../db/support/secret-box.ts';
import type { CreditServiceSettings } from './credits/credit-service.ts';
import { createCredits, type Credits } from './credits/credits.ts';
import { createCustomerValidators, type CustomerValidators } from './customer-validators.ts';
import { noExtensions, type Extensions } from './extensions.ts';
import { createGatewayFacts } from './gateways/gateways.ts';
import type { FactsOfGateways } from './gateways/payment-gateway.ts';
import { createInsights, type Insights } from './insights.ts';
import { createLicenseService, grantedByHand, type Licensing } from './license.ts';
import { createMailer, type Mailer } from './mail.ts';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';
import type { PriceResolver } from './prices.ts';
import { createPrices, createCreditLimits, type CreditLimits } from './prices/prices.ts';
import { createReturns, type ReturnsProviders } from './returns.ts';
import type { Settings } from './settings.ts';

/** Everything that can be replaced. Made once per process, and passed to the API and the worker. */
export interface Providers {
  creditLimits: CreditLimits;
  credits: Credits;
  customerValidators: CustomerValidators;
  /** What is known of gateways. To call them is the worker's: see `WorkerProviders`. */
  gatewayFacts: FactsOfGateways;
  insights: Insights;
  license: Licensing;
  mail: Mailer;
  passwords: PasswordHasher;
  /** In the order in which they are asked. */
  prices: readonly PriceResolver[];
  returns: ReturnsProviders;
  /** Encrypts and decrypts secrets in the database. */
  secrets: SecretBox;
}

export interface ProviderParts {
  settings: Settings;
  orm: MikroORM;
  /** What `POS_EXTENSIONS` names, loaded; absent: nothing. */
  extensions?: Extensions;
}

/** Creates all providers, in their order. */
export function createProviders({ settings, orm, extensions = noExtensions }: ProviderParts): Providers {
  const secrets = createSecretBox(settings.POS_SECRET_KEY ?? noKey, settings.POS_SECRET_KEY_OLD);
  return {
    creditLimits: createCreditLimits({ orm }),
    credits: createCredits({ orm, service: creditService(settings) }),
    customerValidators: createCustomerValidators(extensions.customerValidators),
    gatewayFacts: createGatewayFacts({
      loadSettings: (storeId) => readGatewaySettings(orm.em.fork(), storeId, secrets),
      others: extensions.gateways,
    }),
    insights: createInsights({ service: insightService(settings), others: extensions.insights }),
    license: createLicensing(settings),
    mail: createMailer({ smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM }),
    passwords: createPasswordHasher(),
    prices: [...createPrices({ orm, service: priceService(settings) }), ...extensions.prices],
    secrets,
    returns: createReturns({
      remote: remoteReturns(settings),
      readSetting: (path, storeId) => readStoreSetting(orm.em.fork(), path, storeId),
    }),
  };
}

/** A key that opens no sealed value: a process without a secret key can serve everything except secrets. */
const noKey = Buffer.alloc(32).toString('base64');

/** Shorter than a register's own timeout. */
const licenseTimeoutMs = 5_000;

const createLicensing = ({ LICENSE_SERVICE_URL: baseUrl, LICENSE_SERVICE_KEY: apiKey }: Settings): Licensing =>
  baseUrl === undefined ? grantedByHand : createLicenseService({ baseUrl, apiKey, timeoutMs: licenseTimeoutMs });

const remoteReturns = ({ RETURNS_SERVICE_URL: baseUrl, RETURNS_SERVICE_KEY: apiKey, ...settings }: Settings) =>
  baseUrl === undefined ? undefined : { baseUrl, apiKey, timeoutMs: settings.RETURNS_TIMEOUT_SECONDS * 1_000 };

const insightService = ({ INSIGHTS_SERVICE_URL: baseUrl, INSIGHTS_SERVICE_KEY: apiKey }: Settings) =>
  baseUrl === undefined ? undefined : { baseUrl, apiKey };

const priceService = ({ PRICE_SERVICE_URL: baseUrl, PRICE_SERVICE_KEY: apiKey }: Settings) =>
  baseUrl === undefined ? undefined : { baseUrl, apiKey };

const creditService = (settings: Settings): CreditServiceSettings | undefined =>
  settings.CREDIT_SERVICE_URL === undefined
    ? undefined
    : {
        baseUrl: settings.CREDIT_SERVICE_URL,
        apiKey: settings.CREDIT_SERVICE_KEY,
        kind: settings.CREDIT_SERVICE_KIND,
      };
