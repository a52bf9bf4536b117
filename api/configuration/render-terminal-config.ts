import { z } from 'zod';
import type { LocationRow } from '../../db/locations/location.repository.ts';
import type { StaffAndRoles } from '../../db/staff/staff.repository.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { fiscalApiKeyPurpose, licenseTokenPurpose } from '../../db/terminals/licenses.ts';
import type { TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';
import { resolveConfig, type Overrides } from '../../domain/configuration/resolve-config.ts';
import type { ShopSettings } from '../../domain/configuration/shop-settings.ts';
import { effectiveStatus } from '../../domain/terminals/license.ts';
import type { Capabilities } from '../wire/register/capabilities.ts';
import { renderMoment } from '../wire/register/render-moment.ts';
import { locationAnswer, renderLocation } from '../wire/register/render-location.ts';
import { renderRole, renderStaff, roleAnswer, staffAnswer } from '../wire/register/render-staff.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { globalConfigAnswer } from './global-config-answer.ts';
import { renderGlobalConfig, type FixedTaxAttributes } from './render-global-config.ts';

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

/** As its registers see it: who validates customers is the server's own business (spec 4.1). */
const placeAnswer = locationAnswer
  .omit({ customer_validators: true, config_overrides: true })
  .meta({ id: 'RegisterLocation' });

/** The unified payload of spec 2.2. */
export const terminalConfigAnswer = z
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
export function renderOwn(parts: OwnParts): Pick<TerminalConfig, 'terminal' | 'license'> {
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
  const { customer_validators: _untold, ...location } = renderLocation(row);
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
    location: location ? { ...location.config_overrides, ...given(location) } : {},
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
const given = (row: LocationRow) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
