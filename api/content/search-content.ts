import { searchContent } from '../../db/content/search-content.ts';
import { listRoute } from '../http/list-route.ts';
import { contentAnswer, renderContentRow } from './content-answer.ts';
import { exampleAnswer } from './content-example.ts';
import type { ContentType } from './content-type.ts';
import { unknownField } from '../wire/search-criteria.ts';

/**
 * Content of one kind, of every store view, found by `searchCriteria` (spec 4.12, platform facts 3, 11); the filter of
 * `active` is called `is_active`.
 */
export const searchContentRoute = (type: ContentType) =>
  listRoute({
    path: `${type.path}/search`,
    acl: type.read,
    isForAdmins: true,
    name: `search${type.name}s`,
    summary: `Search ${type.noun}s`,
    description: 'The newest drafts, of every store view, at most 300 at once. Ask for pages: each has its whole text.',
    outcomes: [
      unknownField,
      { status: 400, message: 'Maximum SearchCriteria pageSize is %max', when: 'More are found than one answer has.' },
    ],
    examples: [
      {
        title: 'By its name',
        query: `searchCriteria[filter_groups][0][filters][0][field]=${type.identifierKey}&searchCriteria[filter_groups][0][filters][0][value]=x`,
        response: {
          items: [exampleAnswer(type)],
          search_criteria: {
            filter_groups: [{ filters: [{ field: type.identifierKey, value: 'x', condition_type: 'eq' }] }],
          },
          total_count: 1,
        },
      },
    ],
    answer: contentAnswer,
    find: (em, criteria) => searchContent(em, { kind: type.kind, criteria }),
    render: (row) => renderContentRow(type, row),
  });
