import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Found } from '../../db/support/search.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { route, type Acl, type Route } from './route.ts';
import { listAnswer } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria } from '../wire/search-criteria.ts';

interface List<Row, Item> extends Pick<
  Route,
  'path' | 'summary' | 'name' | 'description' | 'outcomes' | 'examples' | 'isForAdmins'
> {
  acl: Acl;
  /** What one row is answered as. */
  answer: z.ZodType<unknown, Item>;
  /** Without criteria every row; else a call without them is refused, as most of the platform's lists do. */
  isWholeByDefault?: boolean;
  find: (em: EntityManager, criteria: SearchCriteria) => Promise<Found<Row>>;
  render: (row: Row) => Item;
}

/** A list as the platform has it (platform facts 3), where a row is answered without knowing of the others. */
export const listRoute = <Row, Item>({ answer, isWholeByDefault = false, find, render, ...words }: List<Row, Item>) =>
  route({
    ...words,
    method: 'GET',
    query: z.object({ searchCriteria: isWholeByDefault ? searchCriteria.default(everything) : searchCriteria }),
    response: listAnswer(answer),

    async handle({ em, query: { searchCriteria: criteria } }) {
      const { rows, totalCount } = await find(em, criteria);
      return renderList(
        criteria,
        rows.map((row) => render(row)),
        totalCount,
      );
    },
  });
