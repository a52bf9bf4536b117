import { searchSources } from '../../../db/platform/inventory/search-inventory.ts';
import { listRoute } from '../../http/list-route.ts';
import { renderSource, sourceAnswer } from './render-source.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Sources; without criteria all of them (platform facts 3.1, 10). */
export const listSources = listRoute({
  path: '/V1/inventory/sources',
  acl: 'Platform_InventoryApi::source',
  summary: 'Search sources',
  name: 'listSources',
  description: 'Places that hold goods. Without criteria all of them.',
  outcomes: [unknownField],
  answer: sourceAnswer,
  isWholeByDefault: true,
  find: searchSources,
  render: renderSource,
});
