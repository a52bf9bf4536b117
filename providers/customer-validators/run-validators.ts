import { z } from 'zod';
import type { RegisterDraft } from '../../domain/customers.ts';
import { severities, warningRow, type ValidationRow } from '../../domain/customers/validation-row.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import type { CustomerValidator, ValidationContext } from '../customer-validators.ts';

/** The most rows of one validator. */
const mostRows = 50;

const short = z.string().min(1).max(64);
const rows = z
  .array(
    z
      .object({
        field: short,
        code: short,
        severity: z.enum(severities),
        message: z.string().min(1).max(500),
        suggestedValue: z.string().max(1_000).optional(),
      })
      // Only `normalize` has a suggested value, and it always has one.
      .refine((row) => (row.severity === 'normalize') === (row.suggestedValue !== undefined)),
  )
  .max(mostRows);

/**
 * Runs every validator at once and returns their rows in the order of the list. Never throws: a validator that
 * throws, hangs or returns an invalid row becomes a warning beside its field and a line in the log. "I do not know"
 * never prevents a save.
 */
export async function runValidators(
  validators: readonly CustomerValidator[],
  { draft, context, log }: { draft: RegisterDraft; context: ValidationContext; log: Log },
): Promise<ValidationRow[]> {
  const verdicts = validators.map(async (validator) => {
    try {
      const answer = (async () => validator.validate(draft, context))();
      return rows.parse(await inTime(answer, context.deadline)).map(plain);
    } catch (error) {
      log.warn({ validator: validator.key, reason: nameOf(error) }, 'a customer validator could not be asked');
      return [warningRow(validator.field, 'validator_failed', `"${validator.label}" could not be checked.`)];
    }
  });
  return (await Promise.all(verdicts)).flat();
}

const plain = ({ suggestedValue, ...row }: z.output<typeof rows>[number]): ValidationRow =>
  suggestedValue === undefined ? row : { ...row, suggestedValue };

/** A vendor's message may contain the customer's data: only its kind is logged. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
