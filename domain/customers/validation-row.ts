export const severities = ['error', 'warning', 'info', 'normalize'] as const;
export type Severity = (typeof severities)[number];

/** What a validator says about a draft (spec 2.9). Only an error keeps the customer from being saved. */
export interface ValidationRow {
  /** The draft's field, by its name in the request. */
  field: string;
  /** Stable: registers branch on it. */
  code: string;
  severity: Severity;
  /** For the cashier. */
  message: string;
  /** Only with `normalize`: the value that one tap puts in the field. */
  suggestedValue?: string;
}

export const isBlocking = ({ severity }: ValidationRow) => severity === 'error';

/** Whether a draft can be saved: no row is an error (spec 2.9). */
export const isValid = (rows: readonly ValidationRow[]) => !rows.some(isBlocking);

const rowOf =
  (severity: Exclude<Severity, 'normalize'>) =>
  (field: string, code: string, message: string): ValidationRow => ({ field, code, severity, message });

export const errorRow = rowOf('error');
export const warningRow = rowOf('warning');

/** A row that suggests the better spelling of the same value. */
export const normalizeRow = (field: string, suggestedValue: string): ValidationRow => ({
  field,
  code: `${field}_format`,
  severity: 'normalize',
  message: `Use "${suggestedValue}".`,
  suggestedValue,
});
