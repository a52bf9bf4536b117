import { z } from 'zod';
import { findLocationByCode } from '../db/locations/read-locations.ts';
import { locations } from '../db/locations/locations.ts';
import { locationNotDeleted, locationNotSaved, noLocationWithCode } from '../domain/refusals/register.ts';
import { resource } from './http/resource.ts';
import { route, type AnyRoute } from './http/route.ts';
import { unknownLocation } from './wire/outcomes.ts';
import { locationAnswer, locationFields, renderLocation } from './wire/register/render-location.ts';
import { text } from './wire/schemas.ts';

const location = resource({
  records: locations,
  acl: 'Vendor_Pos::locations',
  changesNeed: 'Vendor_Pos::locations_manage',
  unknown: unknownLocation,
  body: 'location',
  ...locationFields,
  render: (row, caller) =>
    renderLocation(row, { showsOverrides: caller?.can('Vendor_Pos::locations_manage') === true }),
});

/** One location by its code, spelled exactly (spec 4.2). */
const getLocationByCode = route({
  method: 'GET',
  path: '/V1/pos/locations/code/:code',
  acl: 'Vendor_Pos::locations',
  summary: 'One location by its code',
  name: 'getLocationByCode',
  description: 'The code is compared exactly, capitals included. Otherwise it answers as the read by id.',
  outcomes: [noLocationWithCode],
  params: z.object({ code: text(64) }),
  response: locationAnswer,

  handle: async ({ em, params, caller }) => location.render(await findLocationByCode(em, params.code), caller),
});

/** The shop's locations (spec 4.2). */
export const locationRoutes: readonly AnyRoute[] = [
  location.list({
    path: '/V1/pos/locations',
    name: 'listLocations',
    summary: 'List locations',
    description: `Without criteria every location. Only the route of one location shows \`config_overrides\`, and only
      to callers that may manage locations. It cannot be searched.`,
    isWholeByDefault: true,
  }),

  location.get({
    path: '/V1/pos/locations/:locationId',
    name: 'getLocation',
    summary: 'One location',
    description: `Null in a field means that the setting of the shop holds. \`config_overrides\` is there for callers
      that may manage locations.`,
  }),

  getLocationByCode,

  location.create({
    path: '/V1/pos/locations',
    name: 'createLocation',
    summary: 'Add a location',
    description:
      'A name and a code are needed; all else inherits from the shop. A repeat is refused, because its code is taken.',
    outcomes: [locationNotSaved],
  }),

  location.update({
    path: '/V1/pos/locations/:locationId',
    name: 'updateLocation',
    summary: 'Change a location',
    description: `What you leave out stays; null in an override inherits from the shop again. The same change twice
      leaves the same location. Registers of the location see a new \`config_hash\`.`,
    outcomes: [locationNotSaved],
  }),

  location.remove({
    path: '/V1/pos/locations/:locationId',
    name: 'deleteLocation',
    summary: 'Delete a location',
    description: `Its terminals stay, at no location, and its staff assignments end; the audit trail has a line for
each.
      A repeat is a 404.`,
    outcomes: [locationNotDeleted],
  }),
];
