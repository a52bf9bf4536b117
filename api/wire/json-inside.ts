/** For a text that is JSON inside: the document says what stands in it. */

const inside = 'application/json';

/** A role's keys: a missing one is denied (spec 2.6). */
export const permissionsInside = {
  contentMediaType: inside,
  contentSchema: { type: 'object', additionalProperties: { type: 'boolean' } },
};

/** A list whose rows the register shapes (spec 2.14). */
export const rowsInside = {
  contentMediaType: inside,
  contentSchema: { type: 'array', items: { type: 'object', additionalProperties: {} } },
};

/** A receipt as it is rendered; `schema_version` says how to read it (spec 2.14). */
export const receiptModelInside = {
  contentMediaType: inside,
  contentSchema: {
    type: 'object',
    properties: { schema_version: { type: 'integer', description: 'Which version of the model it is: 1.' } },
    additionalProperties: {},
  },
};
