import { z } from 'zod';
import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { findLocation } from '../../db/locations/location.repository.ts';
import { findStaffOfLocation } from '../../db/staff/staff.repository.ts';
import { findTerminalSetup } from '../../db/terminals/terminal.repository.ts';
import { secretBoxOf } from '../support/register/secret-box-of.ts';
import { route } from '../support/route.ts';
import { idParam } from '../support/schemas.ts';
import { capabilitiesOf } from './capabilities.ts';
import { renderTerminalConfig, terminalConfigAnswer } from './render-terminal-config.ts';
import { withStoreAddress } from './with-store-address.ts';

/**
 * Everything a register needs to work, in one answer encoded twice (spec 2.2, 4.1). Carries provider keys and license
 * secrets in clear, so it is never stored. Five statements, however many staff there are.
 *
 * Refused with: 404 unknown terminal.
 */
export const getTerminalConfig = route({
  method: 'GET',
  path: '/V1/pos/terminals/:terminalId/config',
  acl: 'Vendor_Pos::locations',
  summary: 'The whole configuration of one terminal, encoded twice',
  params: z.object({ terminalId: idParam }),
  response: terminalConfigAnswer,
  isDoubleEncoded: true,
  isPrivate: true,

  async handle({ em, params, settings, providers, now }) {
    const box = secretBoxOf(settings);
    const setup = await findTerminalSetup(em, params.terminalId);
    const scope = { storeId: setup.store_id ?? 0, websiteId: setup.website_id ?? 0 };
    const shop = await readShopSettings(em, scope, box);
    const location = setup.location_id === null ? undefined : await findLocation(em, setup.location_id);
    return renderTerminalConfig({
      setup,
      shop,
      location: location && withStoreAddress(location, shop),
      ...(await findStaffOfLocation(em, setup.location_id)),
      capabilities: capabilitiesOf(providers),
      box,
      now,
    });
  },
});
