import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { configHash } from '../../db/configuration/config-hash.ts';
import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { findLocation, type LocationRow } from '../../db/locations/location.repository.ts';
import { readFixedTaxAttributes } from '../../db/platform/catalog/read-attributes-of-set.ts';
import { findStaffOfLocation, type StaffAndRoles } from '../../db/staff/staff.repository.ts';
import { perDatabase } from '../../db/support/per-database.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { fiscalApiKeyPurpose, licenseTokenPurpose } from '../../db/terminals/licenses.ts';
import { noteSoftware, readTerminalSetup, type VersionedSetup } from '../../db/terminals/note-software.ts';
import type { TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';
import { resolveConfig, type Overrides } from '../../domain/configuration/resolvables.ts';
import type { ShopSettings } from '../../domain/configuration/setting-defaults.ts';
import { withStoreAddress } from '../../domain/locations.ts';
import { effectiveStatus } from '../../domain/terminals.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { route, type RouteContext } from '../http/route.ts';
import { JsonText } from '../wire/json-stream.ts';
import { unknownTerminal } from '../wire/outcomes.ts';
import { capabilitiesOf, installed, type Capabilities } from '../wire/register/capabilities.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { renderRole, renderStaff, roleAnswer, staffAnswer } from '../wire/register/render-staff.ts';
import { renderMoment, renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { idParam } from '../wire/schemas.ts';
import { globalConfigAnswer, renderGlobalConfig, type FixedTaxAttributes } from './render-global-config.ts';

const text = z.string().nullable();

const licenseAnswer = z
  .object({
    license_id: z.int(),
    license_key: text,
    license_type: text,
    license_status: text,
    license_token: text,
    expires_at: text,
    fiscal_tss_id: text,
    fiscal_api_key: text,
    last_upstream_check_at: text,
    last_upstream_check_succeeded: z.boolean(),
  })
  .meta({ id: 'License' });

/**
 * As its registers see it: who validates customers is the server's own business (spec 4.1). Its time zone is for the
 * days of the server.
 */
const placeAnswer = locationAnswer
  .omit({ customer_validators: true, config_overrides: true, time_zone: true })
  .meta({ id: 'RegisterLocation' });

/** The unified payload of spec 2.2. */
const terminalConfigAnswer = z
  .object({
    terminal: terminalAnswer.extend({
      license_token: text,
      license_status: text,
      license_type: text,
      license_expires_at: text,
      fiscal_tss_id: text,
      fiscal_api_key: text,
    }),
    license: licenseAnswer.nullable(),
    config: globalConfigAnswer,
    location: placeAnswer.nullable(),
    resolved_config: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    staff: z.array(staffAnswer),
    roles: z.array(roleAnswer),
  })
  .meta({ id: 'TerminalConfig' });

type TerminalConfig = z.input<typeof terminalConfigAnswer>;

interface OwnParts {
  setup: TerminalSetupRow;
  box: SecretBox;
  now: Date;
}

/** The part of one terminal alone. */
function renderOwn(parts: OwnParts): Pick<TerminalConfig, 'terminal' | 'license'> {
  const license = renderLicense(parts);
  return {
    terminal: {
      ...renderTerminal(parts.setup),
      license_token: license?.license_token ?? null,
      license_status: license?.license_status ?? null,
      license_type: license?.license_type ?? null,
      license_expires_at: license?.expires_at ?? null,
      fiscal_tss_id: license?.fiscal_tss_id ?? null,
      fiscal_api_key: license?.fiscal_api_key ?? null,
    },
    license,
  };
}

interface PlaceParts {
  shop: ShopSettings;
  location: LocationRow | undefined;
  capabilities: Capabilities;
}

/** The part that every register of a location shares. */
export const renderPlace = ({
  shop,
  location,
  capabilities,
  fixedTaxes,
  staff,
  roles,
}: PlaceParts & StaffAndRoles & { fixedTaxes: FixedTaxAttributes }): Pick<
  TerminalConfig,
  'config' | 'location' | 'staff' | 'roles'
> => ({
  config: renderGlobalConfig(shop, capabilities, fixedTaxes),
  location: location ? renderHere(location) : null,
  staff: staff.map(renderStaff),
  roles: roles.map(renderRole),
});

function renderHere(row: LocationRow): z.input<typeof placeAnswer> {
  const { customer_validators: _untold, time_zone: _ofDays, ...location } = renderLocation(row);
  return location;
}

export const renderResolved = ({
  shop,
  location,
  capabilities,
  overrides,
}: PlaceParts & { overrides: Overrides }): TerminalConfig['resolved_config'] =>
  resolveConfig({
    settings: shop,
    location: location ? { ...location.config_overrides, ...withoutNulls(location) } : {},
    terminal: overrides,
    hasMsi: capabilities.hasMsi,
  });

function renderLicense({ setup, box, now }: OwnParts): z.input<typeof licenseAnswer> | null {
  const { license_id: licenseId, license_status: status, license_type: type, expires_at: expiresAt } = setup;
  if (licenseId === null || status === null || type === null) return null;
  const facts = { status, type, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
  const opened = (sealed: string | null, purpose: string) => (sealed === null ? null : box.open(sealed, purpose));
  return {
    license_id: licenseId,
    license_key: setup.license_key,
    license_type: type,
    license_status: effectiveStatus(facts, now),
    license_token: opened(setup.sealed_token, licenseTokenPurpose),
    expires_at: renderMoment(expiresAt),
    fiscal_tss_id: setup.fiscal_tss_id,
    fiscal_api_key: opened(setup.sealed_fiscal_api_key, fiscalApiKeyPurpose),
    last_upstream_check_at: renderMoment(setup.last_upstream_check_at),
    last_upstream_check_succeeded: setup.last_upstream_check_succeeded === true,
  };
}

/** The location's columns with a value: they win over its other overrides. */
const withoutNulls = (row: LocationRow) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** The part of the configuration that all registers of a place share: the end of the payload, already encoded twice. */
export interface PlaceConfig {
  /** From the comma after the terminal's own part: `config`, `location`, `resolved_config`, `staff` and `roles`. */
  restFor(overrides: Overrides): readonly Buffer[];
  /** In bytes. */
  length: number;
}

export interface PlaceInput {
  setup: VersionedSetup;
  capabilities: Capabilities;
  box: SecretBox;
  /** Reads everything again and ignores the cache. */
  isFresh: boolean;
}

interface Stored {
  key: string;
  config: Promise<PlaceConfig>;
  length: number;
}

/** The most bytes of all cached places: some hundred locations of twenty people. */
const mostStored = 16_000_000;

/** By location and store view, the last used one at the end. */
const storedPlaces = perDatabase((em) => ({ em, places: new Map<string, Stored>(), length: 0 }));

/**
 * The part of a terminal's configuration that its location shares. It is cached while its version is unchanged: each
 * request reads the counters that triggers maintain, so no process answers with an outdated version.
 */
function placeConfig(em: EntityManager, input: PlaceInput): Promise<PlaceConfig> {
  const { setup, capabilities, isFresh } = input;
  const stored = storedPlaces(em);
  const place = `${setup.location_id} ${setup.store_id}`;
  const key = `${setup.versions} ${setup.website_id} ${installed(capabilities)}`;
  const known = stored.places.get(place);
  if (known && known.key === key && !isFresh) {
    stored.places.delete(place);
    stored.places.set(place, known);
    return known.config;
  }
  const made: Stored = { key, config: readPlace(stored.em, input), length: 0 };
  forget(stored, place, known);
  stored.places.set(place, made);
  void made.config.then(
    ({ length }) => note(stored, place, made, length),
    () => forget(stored, place, made),
  );
  return made.config;
}

type StoredPlaces = ReturnType<typeof storedPlaces>;

/** Counts only existing entries; the places not requested for longest are removed first. */
function note(stored: StoredPlaces, place: string, made: Stored, length: number): void {
  if (stored.places.get(place) !== made) return;
  made.length = length;
  stored.length += length;
  for (const [oldest, one] of stored.places) {
    if (stored.length <= mostStored) return;
    forget(stored, oldest, one);
  }
}

function forget(stored: StoredPlaces, place: string, one: Stored | undefined): void {
  if (!one || stored.places.get(place) !== one) return;
  stored.places.delete(place);
  stored.length -= one.length;
}

/** Five statements, whatever the number of staff. */
async function readPlace(em: EntityManager, { setup, capabilities, box }: PlaceInput): Promise<PlaceConfig> {
  const { location_id: locationId } = setup;
  const scope = { storeId: setup.store_id ?? 0, websiteId: setup.website_id ?? 0 };
  const [shop, found, people, fixedTaxes] = await Promise.all([
    readShopSettings(em, scope, box),
    locationId === null ? undefined : findLocation(em, locationId),
    findStaffOfLocation(em, locationId),
    readFixedTaxAttributes(em, scope.storeId),
  ]);
  const location = found && withStoreAddress(found, shop);
  const { config, staff, roles, ...place } = renderPlace({ shop, location, capabilities, fixedTaxes, ...people });
  const resolve = (overrides: Overrides) =>
    Buffer.from(membersOf({ resolved_config: renderResolved({ shop, location, capabilities, overrides }) }));
  const shared = Buffer.from(`,${membersOf({ config, ...place })},`);
  const resolved = resolve({});
  const whole = Buffer.concat([shared, resolved, Buffer.from(`,${membersOf({ staff, roles })}}"`)]);
  const before = whole.subarray(0, shared.length);
  const behind = whole.subarray(shared.length + resolved.length);
  return {
    restFor: (overrides) => (Object.keys(overrides).length === 0 ? [whole] : [before, resolve(overrides), behind]),
    length: whole.length,
  };
}

/** The members of an object as they appear within a JSON text that is encoded once more. */
const membersOf = (record: object) => JSON.stringify(JSON.stringify(record).slice(1, -1)).slice(1, -1);

/**
 * Everything a register needs to work, in one answer encoded twice (spec 2.2, 4.1). Carries provider keys and license
 * secrets in clear, so it is never stored on the way. One statement when nothing changed for the location since it was
 * last asked for, six otherwise, however many staff there are; `Cache-Control: no-cache` asks for the six.
 */
export const getTerminalConfig = route({
  method: 'GET',
  path: '/V1/pos/terminals/:terminalId/config',
  acl: 'Vendor_Pos::locations',
  summary: 'The whole configuration of one terminal, encoded twice',
  name: 'getTerminalConfig',
  description: `Everything a register needs to work: its terminal, license, settings, location, staff and roles.
    Pull it at the start, and whenever \`config_hash\` of a heartbeat is new. The answer is a JSON text inside JSON:
    parse it twice. \`resolved_config\` is what counts: the terminal’s overrides over the location’s values over the
    shop’s. Keys of card providers are in clear.`,
  outcomes: [unknownTerminal],
  headers: {
    read: [
      {
        name: 'Cache-Control',
        description: `With \`no-cache\` everything is read again. Without it, data that a location's registers share may
          come from memory, until it changes.`,
        example: 'no-cache',
      },
    ],
  },
  params: z.object({ terminalId: idParam }),
  response: terminalConfigAnswer,
  isDoubleEncoded: true,
  isPrivate: true,

  readAhead: ({ reader, params }) => readTerminalSetup(reader, params.terminalId),

  async handle(request) {
    const { reader, ahead: setup, settings, providers, now, header } = request;
    void noteBehind(request, setup);
    const box = secretBoxOf(settings);
    const capabilities = capabilitiesOf(providers);
    const isFresh = /\bno-cache\b/i.test(header('cache-control') ?? '');
    const place = await placeConfig(reader, { setup, capabilities, box, isFresh });
    const own = membersOf(renderOwn({ setup, box, now }));
    return new JsonText(`"{${own}`, ...place.restFor(setup.config_overrides));
  },
});

/** For the operator's page Tills. Nobody waits for it, and a fetch succeeds without. */
async function noteBehind({ reader, providers, header, log }: RouteContext, setup: VersionedSetup): Promise<void> {
  const { terminal_id: terminalId, own_versions: versions } = setup;
  try {
    await noteSoftware(reader, {
      terminalId,
      configHash: configHash({ versions, installed: installed(capabilitiesOf(providers)) }),
      agent: header('user-agent'),
    });
  } catch (error) {
    log.warn({ terminalId, error }, 'what a register fetched could not be noted; the next fetch tries again');
  }
}
