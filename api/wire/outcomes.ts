/** The platform's 404 for an unknown entity (platform facts 2.3), for the outcomes of a route. */
export const unknownEntity = (when: string) => ({
  status: 404,
  message: 'No such entity with %fieldName = %fieldValue',
  when,
});
