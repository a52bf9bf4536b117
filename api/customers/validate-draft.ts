import { readDraftGround, type DraftGround } from '../../db/customers/read-draft-ground.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import type { RegisterDraft } from '../../domain/customers/register-draft.ts';
import type { ValidationRow } from '../../domain/customers/validation-row.ts';
import { invalid } from '../../domain/errors.ts';
import type { ValidationContext } from '../../providers/customer-validators/customer-validator.ts';
import { selectedValidators, settingPathsOf } from '../../providers/customer-validators/customer-validators.ts';
import { runValidators } from '../../providers/customer-validators/run-validators.ts';
import type { RouteContext } from '../http/route.ts';

const selectionPath = 'vendor_pos_terminal/customers/validators';
const countryPath = 'general/store_information/country_id';
/** For a shop and a location without a country: the platform's own default (platform facts 9.5). */
const defaultCountry = 'US';
/** Short, because a customer waits at the counter. */
const lookUpMs = 3_000;

export interface Validated {
  rows: ValidationRow[];
  /** The store view of the account. */
  storeId: number | null;
  websiteId: number | null;
  countryId: string;
}

type Asked = Pick<RouteContext, 'em' | 'providers' | 'store' | 'now' | 'log'>;

/**
 * Runs the validators that the location selects, otherwise those of the request's website (spec 4.5).
 *
 * Settings come from the website sent, where 0 is the default scope; uniqueness is checked on the website that 0
 * stands for. Refused with 400: an unknown location, or one of another website.
 *
 * @param options.exceptId an account whose e-mail does not count as taken, beside the edited one
 */
export async function validateDraft(
  draft: RegisterDraft,
  { em, providers, store, now, log }: Asked,
  { exceptId = draft.customerId }: { exceptId?: number } = {},
): Promise<Validated> {
  const { customerValidators } = providers;
  const ground = await readDraftGround(em, {
    ...draft,
    customerId: exceptId,
    currentStoreId: store.storeId,
    settingPaths: [selectionPath, countryPath, ...settingPathsOf(customerValidators)],
  });
  refuseForeignLocation(draft, ground);
  const setting = (path: string) => {
    const stored = ground.settings[path];
    return stored === undefined ? (settingDefaults[path] ?? '') : (stored ?? '');
  };
  const shopCountry = ground.countryId ?? (setting(countryPath) || defaultCountry);
  const context: ValidationContext = {
    websiteId: ground.websiteId ?? undefined,
    countryId: (draft.countryCode || shopCountry).toUpperCase(),
    isEmailTaken: draft.email !== '' && ground.takenBy !== null,
    today: now.toISOString().slice(0, 10),
    deadline: new Date(Date.now() + lookUpMs),
    setting,
  };
  const selected = selectedValidators(customerValidators, ground.customerValidators ?? setting(selectionPath));
  const rows = await runValidators(selected, { draft, context, log });
  return { rows, storeId: ground.storeId, websiteId: ground.websiteId, countryId: shopCountry };
}

/** 0 means unspecified on either side; two different websites are refused (spec 4.5). */
function refuseForeignLocation({ locationId, websiteId }: RegisterDraft, ground: DraftGround): void {
  if (locationId === 0) return;
  const isKnown = ground.locationId !== null;
  const isForeign = websiteId !== 0 && ground.locationWebsiteId !== 0 && ground.locationWebsiteId !== websiteId;
  if (!isKnown || isForeign)
    throw invalid('Invalid value of "%value" provided for the %fieldName field.', {
      fieldName: 'locationId',
      value: locationId,
    });
}
