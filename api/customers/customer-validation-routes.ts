import { z } from 'zod';
import { timeZoneOfWebsite } from '../../db/platform/stores/time-zone.ts';
import { localDateOf } from '../../domain/local-day.ts';
import { readDraftGround, type DraftGround } from '../../db/customers/read-draft-ground.ts';
import { createCustomer, EmailTaken } from '../../db/platform/customers/customers.ts';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { toCustomer, type RegisterDraft } from '../../domain/customers.ts';
import { errorRow, isValid, severities, type ValidationRow } from '../../domain/customers/validation-row.ts';
import { invalidValue } from '../../domain/errors.ts';
import {
  emailTakenRow,
  selectedValidators,
  settingPathsOf,
  type ValidationContext,
} from '../../providers/customer-validators.ts';
import { runValidators } from '../../providers/customer-validators/run-validators.ts';
import { route, type AnyRoute, type Outcome, type RouteContext } from '../http/route.ts';
import { invalidField } from '../wire/outcomes.ts';
import { growing, recordId, text } from '../wire/schemas.ts';
import { askCustomerPrices } from './ask-customer-prices.ts';

/** Longer than a field may be: too long a text becomes a row of the answer. */
const entered = text(1_000)
  .default('')
  .transform((input) => input.trim());
const id = recordId.default(0);

/**
 * A customer from a register's form (spec 2.9). A missing field becomes a row of the answer; only an unreadable one
 * is refused. Drafts grow by version, so unknown keys are ignored.
 */
const draftPayload = growing({
  email: entered,
  firstname: entered,
  lastname: entered,
  company: entered,
  taxvat: entered,
  phone: entered,
  street: entered,
  city: entered,
  postcode: entered,
  countryCode: entered,
  dob: entered,
  websiteId: id,
  customerId: id,
  locationId: id,
}).meta({ id: 'CustomerDraft' }) satisfies z.ZodType<RegisterDraft>;

const badLocation: Outcome = invalidField(
  'the location is not there, or belongs to another website than the one that is named',
  'Pull the locations again, and send the terminal’s own.',
);

/** A business customer of Berlin; the last digit of the VAT number is wrong. */
const draftExample = {
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Lovelace',
  websiteId: 1,
  company: 'Analytical Engines GmbH',
  taxvat: 'DE136695978',
  phone: '030 901820',
  street: 'Unter den Linden 1',
  city: 'Berlin',
  postcode: '10117',
  countryCode: 'DE',
  locationId: 1,
};

const rowAnswer = z
  .object({
    field: z.string(),
    code: z.string(),
    severity: z.enum(severities),
    message: z.string(),
    suggested_value: z.string().optional(),
  })
  .meta({ id: 'ValidationRow' });

/** A validation result (spec 2.9). */
const validationAnswer = z.object({ valid: z.boolean(), errors: z.array(rowAnswer) });
/** The result of a create (spec 4.5). */
const creationAnswer = z.object({
  success: z.boolean(),
  customer_id: z.int().nullable(),
  errors: z.array(rowAnswer),
});

const renderRow = ({ suggestedValue, ...row }: ValidationRow): z.input<typeof rowAnswer> =>
  suggestedValue === undefined ? row : { ...row, suggested_value: suggestedValue };

const renderValidation = (rows: readonly ValidationRow[]): z.input<typeof validationAnswer> => ({
  valid: isValid(rows),
  errors: rows.map(renderRow),
});

/** @param customerId of the new account; null where none was created */
const renderCreation = (customerId: number | null, rows: readonly ValidationRow[]): z.input<typeof creationAnswer> => ({
  success: customerId !== null,
  customer_id: customerId,
  errors: rows.map(renderRow),
});

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

type Asking = Pick<RouteContext, 'em' | 'providers' | 'store' | 'now' | 'log'>;

/**
 * Runs the validators that the location selects, otherwise those of the request's website (spec 4.5).
 *
 * Settings come from the website sent, where 0 is the default scope; uniqueness is checked on the website that 0
 * stands for. Refused with 400: an unknown location, or one of another website.
 *
 * @param options.exceptId an account whose e-mail does not count as taken, beside the edited one
 */
async function validateDraft(
  draft: RegisterDraft,
  { em, providers, store, now, log }: Asking,
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
    today: localDateOf(now, await timeZoneOfWebsite(em, ground.websiteId ?? 0)),
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
  if (!isKnown || isForeign) throw invalidValue('locationId', locationId);
}

/**
 * Opens an account from a register's form (spec 4.5): 200 whether it was opened or not, with every row that was said.
 *
 * The validators run again, and only an error keeps it from being opened. The database lets one account per e-mail and
 * website in: of several at once the others get the row that says so. The same again is that row, too; with an
 * `Idempotency-Key` it is the first answer. Refused with 400: as at validate.
 */
const createRegisterCustomer = route({
  name: 'createRegisterCustomer',
  method: 'POST',
  path: '/V1/pos/customers',
  acl: 'Vendor_Pos::locations',
  summary: 'Open a customer account from a register’s form',
  description: `Answers 200 in both outcomes: \`success\` tells, \`errors\` has all rows, also the warnings of a
success. An e-mail that has an
account is a row (\`email_taken\`). Send an \`Idempotency-Key\`: a repeat then gets the first answer, and not that row.

It opens accounts only; \`customerId\` belongs to validate. An address is kept as soon as one of its fields is filled,
as the
default one; the company lives on it. The group is the shop’s default.`,
  outcomes: [badLocation],
  examples: [
    {
      title: 'Opened',
      body: { request: { ...draftExample, taxvat: 'DE136695976', phone: '+4930901820' } },
      response: { success: true, customer_id: 42, errors: [] },
    },
    {
      title: 'The e-mail has an account',
      body: { request: { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace', websiteId: 1 } },
      response: { success: false, customer_id: null, errors: [emailTakenRow] },
    },
  ],
  commits: 'several',
  body: z.object({ request: draftPayload }),
  response: creationAnswer,
  handle: (request) => create(request),
});

async function create(request: RouteContext & { body: { request: z.output<typeof draftPayload> } }) {
  const { em, operation } = request;
  const draft = request.body.request;
  // An earlier run of this request may have opened the account: it is no rival of its own e-mail.
  const { madeBefore } = operation;
  const { rows, storeId, websiteId, countryId } = await validateDraft(draft, request, { exceptId: madeBefore ?? 0 });
  if (madeBefore !== null) return renderCreation(madeBefore, rows);
  const all = draft.customerId === 0 ? rows : [...rows, notNew];
  if (!isValid(all) || storeId === null || websiteId === null) return renderCreation(null, all);
  try {
    const customerId = await createCustomer(em, {
      draft: { ...toCustomer(draft, countryId), storeId, websiteId },
      currentStoreId: storeId,
      takesAnyAddress: true,
      opened: operation.made,
    });
    return renderCreation(customerId, all);
  } catch (error) {
    if (error instanceof EmailTaken) return renderCreation(null, [...all, emailTakenRow]);
    throw error;
  }
}

/** Otherwise an edit that went astray would open a second account. */
const notNew = errorRow('customerId', 'customer_exists', 'This customer has an account; change that one.');

/**
 * Checks a customer before it is saved (spec 2.9, 4.5): always 200, and nothing is written.
 *
 * Refused with 400: a body that cannot be read; a location that is unknown or of another website.
 */
const validateCustomer = route({
  name: 'validateCustomer',
  method: 'POST',
  path: '/V1/pos/customer-validate',
  acl: 'Vendor_Pos::locations',
  summary: 'Check a customer before saving',
  description: `Call it while the cashier types, and before a customer is saved or changed. What is missing or wrong is
a row; \`valid\`
is false where a row is an \`error\`. A row of severity \`normalize\` carries \`suggested_value\`: offer it as one tap.

\`websiteId\` 0 is the website of the call's store. \`locationId\` lets the location's own choice of validators count.
With
\`customerId\`, for an edit, the customer's own e-mail is no rival. \`dob\` (\`YYYY-MM-DD\`) is for shops with a minimum
age.`,
  outcomes: [badLocation],
  examples: [
    {
      title: 'A VAT number with a wrong digit, a phone number that can be written better',
      body: { request: draftExample },
      response: {
        valid: false,
        errors: [
          {
            field: 'phone',
            code: 'phone_format',
            severity: 'normalize',
            message: 'Use "+4930901820".',
            suggested_value: '+4930901820',
          },
          {
            field: 'taxvat',
            code: 'vat_invalid',
            severity: 'error',
            message: 'This is not a VAT number of the country: a digit may be wrong.',
          },
        ],
      },
    },
  ],
  commits: 'several',
  body: z.object({ request: draftPayload }),
  response: validationAnswer,

  async handle(request) {
    const { rows } = await validateDraft(request.body.request, request);
    return renderValidation(rows);
  },
});

/** Validating and creating customers, and their prices (spec 4.5): a part of the list of all routes. */
export const customerValidationRoutes: readonly AnyRoute[] = [
  validateCustomer,
  createRegisterCustomer,
  askCustomerPrices,
];
