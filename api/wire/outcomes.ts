/** 404 of the platform for whatever is not there (platform facts 2.3), for the outcomes of a route. */
export const unknownEntity = (when: string) => ({
  status: 404,
  message: 'No such entity with %fieldName = %fieldValue',
  when,
});
