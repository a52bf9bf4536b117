import { conditionTypes } from '../../../domain/platform/search-criteria.ts';
import type { Json } from './json.ts';

/**
 * The search of a list as flat parameters, because generators of clients cannot write nested ones. A second filter or
 * group has the next number in the brackets.
 */

const group = 'searchCriteria[filter_groups][0][filters][0]';

interface Word {
  component: string;
  name: string;
  description: string;
  /** Without a default where the value alone is refused: pages that try a call fill it in. */
  schema: Json;
  example: unknown;
}

const words: readonly Word[] = [
  {
    component: 'CriteriaField',
    name: `${group}[field]`,
    description: `The field that is looked at. Further filters of the same group (\`[filters][1]\`) are joined by
      OR, further groups (\`[filter_groups][1]\`) by AND. At most 400 parameters in all.`,
    schema: { type: 'string' },
    example: undefined,
  },
  {
    component: 'CriteriaValue',
    name: `${group}[value]`,
    description: 'What it is compared with. `%` stands for any text with `like`; a list for `in` has commas.',
    schema: { type: 'string' },
    example: undefined,
  },
  {
    component: 'CriteriaCondition',
    name: `${group}[condition_type]`,
    description: 'How it is compared. Left out: `eq`. `from` and `to` include their ends.',
    schema: {
      type: 'string',
      enum: [...conditionTypes],
    },
    example: undefined,
  },
  {
    component: 'CriteriaSortField',
    name: 'searchCriteria[sort_orders][0][field]',
    description: 'The field that the list is sorted by.',
    schema: { type: 'string' },
    example: undefined,
  },
  {
    component: 'CriteriaSortDirection',
    name: 'searchCriteria[sort_orders][0][direction]',
    description: 'The direction of the sort. Left out: `DESC`.',
    schema: { type: 'string', enum: ['ASC', 'DESC'] },
    example: undefined,
  },
  {
    component: 'CriteriaPageSize',
    name: 'searchCriteria[page_size]',
    description: 'Rows in a page. Left out, or 0: all rows, as far as the list allows.',
    schema: { type: 'integer' },
    example: 20,
  },
  {
    component: 'CriteriaPage',
    name: 'searchCriteria[current_page]',
    description: 'The page, from 1; a lower number is the first.',
    schema: { type: 'integer', default: 1 },
    example: 1,
  },
];

export const criteriaComponents: Record<string, Json> = Object.fromEntries(
  words.map(({ component, name, description, schema, example }) => [
    component,
    { name, in: 'query', required: false, description, schema, ...(example === undefined ? {} : { example }) },
  ]),
);

/** The parameters of a list that takes `searchCriteria`. */
export const criteriaParameters: readonly Json[] = words.map(({ component }) => ({
  $ref: `#/components/parameters/${component}`,
}));
