/** Describes, for the API document, the JSON inside a text field. */

const inside = 'application/json';

/** A role's permissions: a missing key means denied (spec 2.6). */
export const permissionsInside = {
  contentMediaType: inside,
  contentSchema: {
    $ref: '#/$defs/Permissions',
    $defs: {
      Permissions: {
        type: 'object',
        description: 'What a role may do, by the name of the permission. An absent one is denied.',
        additionalProperties: { type: 'boolean' },
      },
    },
  },
};

/** A list of rows whose form the register decides (spec 2.14). */
export const rowsInside = {
  contentMediaType: inside,
  contentSchema: { type: 'array', items: { type: 'object', additionalProperties: {} } },
};

/** A receipt as it is rendered; `schema_version` names its format (spec 2.14). */
export const receiptModelInside = {
  contentMediaType: inside,
  contentSchema: {
    type: 'object',
    properties: { schema_version: { type: 'integer', description: 'Which version of the model it is: 1.' } },
    additionalProperties: {},
  },
};
