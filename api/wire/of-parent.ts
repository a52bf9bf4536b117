/** A list of comments as the platform answers it: with its search criteria (platform facts 3.5). */
export const ofParent = <Item>(id: number, items: Item[]) => ({
  items,
  search_criteria: {
    filter_groups: [{ filters: [{ field: 'parent_id', value: String(id), condition_type: 'eq' }] }],
  },
  total_count: items.length,
});
