/** Refusals: what the shop says no to, in the platform's own words (platform facts 2). */

/** Values for the placeholders of a message: a list for `%1`, names for `%fieldName`. Kept beside it, never filled in. */
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

/** 400: the request cannot be carried out as it stands. */
export const invalid = (message: string, parameters?: ErrorParameters) => refuse(400, message, parameters);

/** 400 in the platform's words for a value that a field does not take (platform facts 2.3). */
export const invalidValue = (fieldName: string, value: unknown) =>
  invalid('Invalid value of "%value" provided for the %fieldName field.', { fieldName, value });

/** 401: a secret, a session or a device that is not who it says. */
export const unauthorized = (message: string, parameters?: ErrorParameters) => refuse(401, message, parameters);

/** 401 for a caller without the route's resource: the platform's one body (platform facts 1.4). */
export const notPermitted = (resources: readonly string[]) =>
  refuse(401, "The consumer isn't authorized to access %resources.", { resources: resources.join(', ') });

export const notFound = (message: string, parameters?: ErrorParameters) => refuse(404, message, parameters);

/** 404 in the platform's generic words for one key (platform facts 2.3). */
export const noSuchEntity = (fieldName: string, fieldValue: unknown) =>
  refuse(404, 'No such entity with %fieldName = %fieldValue', { fieldName, fieldValue });

/** 404, in the platform's words, for a store view nobody knows. */
export const noSuchStore = () =>
  refuse(404, "The store that was requested wasn't found. Verify the store and try again.");

/** 404, in the platform's words, for a product nobody knows. */
export const noSuchProduct = (sku: string) => refuse(404, `The Product with the "%1" SKU doesn't exist.`, [sku]);

/** 404 for an unknown order, invoice, credit memo or shipment: the platform's words, without parameters. */
export const noSuchDocument = () =>
  refuse(404, "The entity that was requested doesn't exist. Verify the entity and try again.");

/** As `noSuchDocument` for an order; the id 0 is none at all, which is 400 (platform facts 2.4). */
export const noSuchOrder = (orderId: number) =>
  orderId === 0 ? invalid('An ID is needed. Set the ID and try again.') : noSuchDocument();

/** 400 for an argument that is absent or null. The name is the camelCase one of the interface. */
export const fieldRequired = (fieldName: string) =>
  refuse(400, '"%fieldName" is required. Enter and try again.', { fieldName });

/** 409 with an outcome the register branches on (spec 4.8). The message is already rendered. */
export const conflict = (outcome: string, message: string, parameters: Record<string, unknown> = {}) =>
  refuse(409, message, { outcome, ...parameters });

/** 503: something we need is away; asking again later is right. */
export const unavailable = (message: string) => refuse(503, message);

/** Several input errors at once; a single one is answered on its own (platform facts 2.2). */
export function invalidInput(errors: readonly InputError[]): PosError {
  const [only] = errors;
  if (errors.length === 1 && only) return invalid(only.message, only.parameters);
  return new PosError({ status: 400, message: 'One or more input exceptions have occurred.', errors });
}
