import { z } from 'zod';
import { platformModules } from '../../../domain/platform/modules.ts';
import { route } from '../../http/route.ts';

/** The modules that are switched on: the platform's, then those built on it. */
export const listModules = (ownModules: readonly string[]) =>
  route({
    method: 'GET',
    path: '/V1/modules',
    acl: 'Platform_Backend::admin',
    summary: 'Modules that are switched on',
    name: 'listModules',
    description: `A plain list of names, as clients of the platform look for them. A module is named where its routes are
served, in whole or in part.`,
    outcomes: [],
    examples: [{ title: 'The first and the last', response: ['Magento_Store', 'Vendor_Pos'] }],
    response: z.array(z.string()),

    handle: () => Promise.resolve([...platformModules, ...ownModules]),
  });
