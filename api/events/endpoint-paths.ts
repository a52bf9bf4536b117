import { z } from 'zod';
import { idParam } from '../wire/schemas.ts';

/** For administrators' own tokens: who names an address is sent every event. */
export const endpointAccess = { acl: 'Vendor_Pos::events_manage', isForAdmins: true } as const;

export const endpointsPath = '/V1/pos/events/endpoints';

export const endpointParams = z.object({ endpointId: idParam });
