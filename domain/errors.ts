/** Refusals, in the platform's own words (platform facts 2). */

/**
 * Values for the placeholders of a message: a list for `%1`, names for `%fieldName`. The answer carries them beside
 * the message.
 */
export type ErrorParameters = readonly unknown[] | Readonly<Record<string, unknown>>;

export interface InputError {
  message: string;
  parameters: ErrorParameters;
}

/** A refusal as plain data, so that it passes through Temporal and back. */
export interface Refusal {
  status: number;
  message: string;
  parameters?: ErrorParameters;
  errors?: readonly InputError[];
}

/** Thrown for a business refusal; anything else that is thrown is a fault and answers 500. */
export class PosError extends Error {
  readonly status: number;
  readonly parameters: ErrorParameters | undefined;
  readonly errors: readonly InputError[] | undefined;

  constructor({ status, message, parameters, errors }: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PosError';
    this.status = status;
    this.parameters = parameters;
    this.errors = errors;
  }

  get refusal(): Refusal {
    return {
      status: this.status,
      message: this.message,
      ...(this.parameters === undefined ? {} : { parameters: this.parameters }),
      ...(this.errors === undefined ? {} : { errors: this.errors }),
    };
  }
}

const refuse = (status: number, message: string, parameters?: ErrorParameters) =>
  new PosError({ status, message, ...(parameters === undefined ? {} : { parameters }) });

/** 400: the request is not possible in this form. */
export const invalid = (message: string, parameters?: ErrorParameters) => refuse(400, message, parameters);

/** 400 in the platform's words for a value that a field cannot take (platform facts 2.3). */
export const invalidValue = (fieldName: string, value: unknown) =>
  invalid('Invalid value of "%value" provided for the %fieldName field.', { fieldName, value });

/** 401: a wrong secret, session or device. */
export const unauthorized = (message: string, parameters?: ErrorParameters) => refuse(401, message, parameters);

/** 401 for a caller without the route's resource: the platform's one body (platform facts 1.4). */
export const notPermitted = (resources: readonly string[]) =>
  refuse(401, "The consumer isn't authorized to access %resources.", { resources: resources.join(', ') });

export const notFound = (message: string, parameters?: ErrorParameters) => refuse(404, message, parameters);

/** 404 in the platform's generic words for one key (platform facts 2.3). */
export const noSuchEntity = (fieldName: string, fieldValue: unknown) =>
  refuse(404, 'No such entity with %fieldName = %fieldValue', { fieldName, fieldValue });

/** 404 for an unknown store view, in the platform's words. */
export const noSuchStore = () =>
  refuse(404, "The store that was requested wasn't found. Verify the store and try again.");

/** 404 for an unknown product, in the platform's words. */
export const noSuchProduct = (sku: string) => refuse(404, `The Product with the "%1" SKU doesn't exist.`, [sku]);

/** 404 for an unknown order, invoice, credit memo or shipment: the platform's words, without parameters. */
export const noSuchDocument = () =>
  refuse(404, "The entity that was requested doesn't exist. Verify the entity and try again.");

/** 400 for an argument that is absent or null. The name is the camelCase one of the interface. */
export const fieldRequired = (fieldName: string) =>
  refuse(400, '"%fieldName" is required. Enter and try again.', { fieldName });

/** 409 with an outcome the register branches on (spec 4.8). The message is already rendered. */
export const conflict = (outcome: string, message: string, parameters: Record<string, unknown> = {}) =>
  refuse(409, message, { outcome, ...parameters });

/** 503: a part we need does not answer; the caller may ask again later. */
export const unavailable = (message: string) => refuse(503, message);

/** A field that must be sent and is not, as one of several input errors (platform facts 2.2, 2.3). */
export const missingField = (fieldName: string): InputError => ({
  message: '"%fieldName" is required. Enter and try again.',
  parameters: { fieldName },
});
