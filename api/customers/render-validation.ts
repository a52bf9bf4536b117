import { z } from 'zod';
import { isValid, severities, type ValidationRow } from '../../domain/customers/validation-row.ts';

const rowAnswer = z
  .object({
    field: z.string(),
    code: z.string(),
    severity: z.enum(severities),
    message: z.string(),
    suggested_value: z.string().optional(),
  })
  .meta({ id: 'ValidationRow' });

/** A validation result (spec 2.9). */
export const validationAnswer = z.object({ valid: z.boolean(), errors: z.array(rowAnswer) });
/** The result of a create (spec 4.5). */
export const creationAnswer = z.object({
  success: z.boolean(),
  customer_id: z.int().nullable(),
  errors: z.array(rowAnswer),
});

const renderRow = ({ suggestedValue, ...row }: ValidationRow): z.input<typeof rowAnswer> =>
  suggestedValue === undefined ? row : { ...row, suggested_value: suggestedValue };

export const renderValidation = (rows: readonly ValidationRow[]): z.input<typeof validationAnswer> => ({
  valid: isValid(rows),
  errors: rows.map(renderRow),
});

/** @param customerId of the new account; null where none was created */
export const renderCreation = (
  customerId: number | null,
  rows: readonly ValidationRow[],
): z.input<typeof creationAnswer> => ({
  success: customerId !== null,
  customer_id: customerId,
  errors: rows.map(renderRow),
});
