import { notFound } from '../../../domain/errors.ts';

/** 404 in the platform's words: the setting of a store view names a group that does not exist (platform facts 2.3). */
export const noSuchDefaultGroup = (groupId: string, storeId: number) =>
  notFound('No such entity with %fieldName = %fieldValue, %field2Name = %field2Value', {
    ...{ fieldName: 'groupId', fieldValue: groupId },
    ...{ field2Name: 'storeId', field2Value: storeId },
  });
