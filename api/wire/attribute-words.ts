import { z } from 'zod';

/** An option of an attribute (platform facts 9.1). */
export const attributeOption = z.object({ label: z.string(), value: z.string() });

/** The keys of every attribute, whatever it belongs to (platform facts 9.1). */
export const attributeKeys = {
  attribute_id: z.int(),
  attribute_code: z.string(),
  frontend_input: z.string(),
  entity_type_id: z.string(),
  is_required: z.boolean(),
  options: z.array(attributeOption),
  is_user_defined: z.boolean(),
  default_frontend_label: z.string(),
  backend_type: z.string(),
  is_unique: z.string(),
};
