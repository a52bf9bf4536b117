import { recordId, text } from './schemas.ts';

/** Where money changes hands: on bodies in camel case. Both are optional, and unknown ones assign nothing. */
export const registerPlace = {
  terminalId: recordId.optional(),
  registerSessionUuid: text(64).optional(),
};
