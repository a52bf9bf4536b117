import { randomUUID } from 'node:crypto';
import { aSession } from '../../support/builders/register-session.ts';
import type { FurnishedShop } from './furnished-shop.ts';
import type { Wanted } from './wanted.ts';

/** Requests of the routes of drawers; the session that one works on is made first. */
export const registerSessionSamples = ({
  api,
  locationId,
  terminal,
  member,
}: FurnishedShop): Record<string, () => Promise<Wanted>> => {
  const of = async (state: 'open' | 'counted' | 'closed', body: object): Promise<Wanted> => ({
    params: { registerSessionUuid: (await aSession(api.orm, state)).registerSessionUuid },
    body,
  });
  const path = '/V1/pos/register-sessions';
  return {
    [`POST ${path}`]: () =>
      Promise.resolve({
        body: {
          session: {
            ...{ register_session_uuid: randomUUID(), terminal_id: terminal.terminalId, location_id: locationId },
            ...{ staff_id: member.staffId, opening: [{ currency: 'USD', counted: 100 }] },
          },
        },
      }),
    [`POST ${path}/:registerSessionUuid/movements`]: () =>
      of('open', { movement: { movement_uuid: randomUUID(), kind: 'cash_in', amount: 5, currency: 'USD' } }),
    [`POST ${path}/:registerSessionUuid/count`]: () =>
      of('open', { count_uuid: randomUUID(), count: [{ currency: 'USD', tender: 'cash', counted: 100.5 }] }),
    [`POST ${path}/:registerSessionUuid/close`]: () => of('counted', { closed_by: member.staffId }),
    [`POST ${path}/:registerSessionUuid/reopen`]: () => of('closed', { reason: 'miscounted' }),
    'POST /V1/pos/drawers': () => Promise.resolve({ body: { drawer: { location_id: locationId, name: 'Front' } } }),
  };
};
