import { z } from 'zod';

/**
 * An argument that its route reads itself, because it checks something else first or answers in other words. It is
 * documented with its schema, and passed as sent.
 */
export const unread = (schema: z.ZodType) => {
  const { $schema: _version, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return z.unknown().optional().meta(shape);
};
