import { z } from 'zod';

/**
 * An argument that its route reads itself, because something else is said first or in other words; documented as what it
 * is. It comes as it was sent.
 */
export const unread = (schema: z.ZodType) => {
  const { $schema: _version, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return z.unknown().optional().meta(shape);
};
