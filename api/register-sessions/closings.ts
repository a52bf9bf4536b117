import { z } from 'zod';
import { findClosing } from '../../db/register-sessions/read-closings.ts';
import { searchClosings, searchDrawers } from '../../db/register-sessions/read-sessions.ts';
import { addDrawer } from '../../db/register-sessions/add-drawer.ts';
import type { Drawer } from '../../db/register-sessions/register-session.entity.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import { closingNotFound } from '../../domain/refusals/register-sessions.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { everything, renderList, searchCriteria, tooManyRows } from '../wire/criteria.ts';
import { unknownLocation } from '../wire/outcomes.ts';
import { renderMoment } from '../wire/register/render-terminal.ts';
import { idParam, listAnswer, payload, recordId, text } from '../wire/schemas.ts';
import { closeRegisterSession, reopenRegisterSession } from './close-session.ts';
import { countRegisterSession, moveRegisterCash } from './count-drawer.ts';
import { closingAnswer, renderClosing } from './session-answers.ts';
import { getRegisterSession, listRegisterSessions, openRegisterSession } from './sessions.ts';

const getClosing = route({
  method: 'GET',
  path: '/V1/pos/closings/:closingId',
  acl: 'Vendor_Pos::locations',
  summary: 'One closing',
  name: 'getClosing',
  description: `\`document\` is what was closed: by tender count, gross, refunds, net, expected, counted and difference;
    cash; taxes by rate; discounts; credits; parts of layaways; receipt numbers; corrections by late sales; who did what.
    \`hash\` is the SHA-256 of its canonical JSON (RFC 8785), which contains the \`previous_hash\`.`,
  outcomes: [closingNotFound],
  params: z.object({ closingId: idParam }),
  response: closingAnswer,
  isPrivate: true,

  handle: async ({ em, params }) => renderClosing(await findClosing(em, params.closingId)),
});

const listClosings = route({
  method: 'GET',
  path: '/V1/pos/closings',
  acl: 'Vendor_Pos::locations',
  summary: 'List closings',
  name: 'listClosings',
  description: 'Filter by `drawer_id`, `number`, `location_id`, `business_day`, `has_difference` and `closed_at`.',
  outcomes: [attributeNameNotValid, tooManyRows],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(closingAnswer),
  isPrivate: true,

  async handle({ reader, query }) {
    const { rows, totalCount } = await searchClosings(reader, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderClosing), totalCount);
  },
});

const drawerAnswer = z
  .object({
    drawer_id: z.int(),
    name: z.string(),
    location_id: z.int(),
    terminal_id: z.int().nullable(),
    last_number: z.int(),
    created_at: z.string(),
  })
  .meta({ id: 'Drawer' });

const renderDrawer = (drawer: Drawer): z.input<typeof drawerAnswer> => ({
  drawer_id: drawer.drawerId,
  name: drawer.name,
  location_id: drawer.locationId,
  terminal_id: drawer.terminalId ?? null,
  last_number: drawer.lastNumber,
  created_at: renderMoment(drawer.createdAt),
});

const listDrawers = route({
  method: 'GET',
  path: '/V1/pos/drawers',
  acl: 'Vendor_Pos::locations',
  summary: 'List drawers',
  name: 'listDrawers',
  description: 'A terminal’s own drawer exists from its first session on. `last_number` is that of its last closing.',
  outcomes: [attributeNameNotValid],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(drawerAnswer),

  async handle({ reader, query }) {
    const { rows, totalCount } = await searchDrawers(reader, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderDrawer), totalCount);
  },
});

const createDrawer = route({
  method: 'POST',
  path: '/V1/pos/drawers',
  acl: 'Vendor_Pos::locations_manage',
  summary: 'Add a shared drawer',
  name: 'createDrawer',
  description: 'A drawer that several terminals of a location use. Each call adds one more.',
  outcomes: [unknownLocation],
  body: z.object({ drawer: payload({ location_id: recordId, name: text(255) }) }),
  response: drawerAnswer,

  handle: async ({ em, body }) =>
    renderDrawer(await addDrawer(em, { locationId: body.drawer.location_id, name: body.drawer.name })),
});

/** Drawers, their sessions and their closings. */
export const registerSessionRoutes: readonly AnyRoute[] = [
  openRegisterSession,
  listRegisterSessions,
  getRegisterSession,
  moveRegisterCash,
  countRegisterSession,
  closeRegisterSession,
  reopenRegisterSession,
  listClosings,
  getClosing,
  listDrawers,
  createDrawer,
];
