import { z } from 'zod';
import { flag, integer, payload, text } from '../wire/schemas.ts';

/**
 * The fields of a terminal that an administrator sends (spec 2.4). Fields that the server sets are accepted and
 * ignored, so that an answer can be sent back. `license_key` links the license service's license (our choice); it is
 * never answered here, registers get it with their license.
 */
export const terminalPayload = payload({
  name: text(255).optional(),
  device_identifier: text(1_000).nullable().optional(),
  location_id: integer.nullable().optional(),
  is_active: flag.optional(),
  license_id: integer.nullable().optional(),
  license_key: text(1_000).optional(),
  config_overrides: z.record(z.string(), z.unknown()).optional(),
  regenerate_activation_code: flag.optional(),
  terminal_id: z.unknown().optional(),
  activation_code: z.unknown().optional(),
  activation_used_at: z.unknown().optional(),
  last_seen_at: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
}).meta({ id: 'Terminal' });

export const terminalWish = (given: z.output<typeof terminalPayload>) => ({
  name: given.name,
  deviceIdentifier: given.device_identifier === '' ? null : given.device_identifier,
  locationId: given.location_id,
  isActive: given.is_active,
  licenseId: given.license_id,
  licenseKey: given.license_key,
  configOverrides: given.config_overrides,
  regenerateActivationCode: given.regenerate_activation_code,
});
