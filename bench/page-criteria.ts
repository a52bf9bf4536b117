/** `words` stand for a value that differs from run to run. */
export type Filter = readonly [field: string, value: string, condition?: string, words?: string];
export type Sort = readonly [field: string, direction?: 'ASC' | 'DESC'];

export interface PageInput {
  filter?: Filter | undefined;
  sort?: Sort | undefined;
  currentPage?: number | undefined;
}

/** The criteria of a page of 20 rows. */
export const pageCriteria = ({ filter, sort, currentPage = 1 }: PageInput) => ({
  pageSize: 20,
  currentPage,
  ...(filter
    ? { filterGroups: [{ filters: [{ field: filter[0], value: filter[1], conditionType: filter[2] ?? 'eq' }] }] }
    : {}),
  ...(sort ? { sortOrders: [{ field: sort[0], direction: sort[1] }] } : {}),
});
