import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Found } from '../../db/support/search.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { route, type Acl, type Route, type StoreScope } from './route.ts';
import { listAnswer } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria } from '../wire/search-criteria.ts';

interface List<Row, Item> extends Pick<
  Route,
  'path' | 'summary' | 'name' | 'description' | 'outcomes' | 'examples' | 'isForAdmins'
> {
  acl: Acl;
  /** The schema of one row's answer. */
  answer: z.ZodType<unknown, Item>;
  /** Whether a call without criteria gets every row. Otherwise it is refused, as in most of the platform's lists. */
  isWholeByDefault?: boolean;
  find: (em: EntityManager, criteria: SearchCriteria) => Promise<Found<Row>>;
  render: (row: Row, store: StoreScope) => Item;
}

/** A list as the platform has it (platform facts 3). Each row is rendered without the other rows. */
export const listRoute = <Row, Item>({ answer, isWholeByDefault = false, find, render, ...words }: List<Row, Item>) =>
  route({
    ...words,
    method: 'GET',
    query: z.object({ searchCriteria: isWholeByDefault ? searchCriteria.default(everything) : searchCriteria }),
    response: listAnswer(answer),

    async handle({ reader, store, query: { searchCriteria: criteria } }) {
      const { rows, totalCount } = await find(reader, criteria);
      return renderList(
        criteria,
        rows.map((row) => render(row, store)),
        totalCount,
      );
    },
  });
