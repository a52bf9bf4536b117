import { checkMail } from './check-mail.ts';
import { checkService } from './check-service.ts';
import { ok, type Check, type DoctorContext } from './check.ts';

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
