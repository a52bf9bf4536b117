import type { InputError } from '../errors.ts';

/** A field that must be sent and is not, as one of several input errors (platform facts 2.2, 2.3). */
export const missingField = (fieldName: string): InputError => ({
  message: '"%fieldName" is required. Enter and try again.',
  parameters: { fieldName },
});

/** A value that a field cannot take, as one of several input errors (platform facts 2.2, 2.3). */
export const wrongField = (fieldName: string, value: unknown): InputError => ({
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  parameters: { fieldName, value },
});
