import type { DraftField, RegisterDraft } from '../../domain/customers/register-draft.ts';
import type { ValidationRow } from '../../domain/customers/validation-row.ts';

/** What a validator gets beside the draft. */
export interface ValidationContext {
  /** The website the account would be saved on, after 0 was resolved; undefined for an unknown website. */
  websiteId: number | undefined;
  /** The draft's country, else the location's, else the shop's: never empty. In capitals. */
  countryId: string;
  /** An account of the website has this e-mail, and it is not the one that is edited. */
  isEmailTaken: boolean;
  /** `YYYY-MM-DD`. */
  today: string;
  /** A later answer is ignored. */
  deadline: Date;
  /** The value of a setting listed in `settings`, for the website of the request; empty where it is not set. */
  setting: (path: string) => string;
}

/**
 * Checks a register's customer draft and returns what is wrong with it (spec 2.9, 4.5).
 *
 * It runs before anything is saved, at every validate and at every create, and holds no lock. It may run any number
 * of times for one draft, writes nothing, and ends by its deadline. When it throws or returns an invalid row, the
 * cashier sees a warning that the check did not run.
 */
export interface CustomerValidator {
  /** The name in the setting that selects it: small letters, digits and `_`. */
  readonly key: string;
  /** For operators. */
  readonly label: string;
  /** The field beside which its failure is shown. */
  readonly field: DraftField;
  /** Paths of the settings it reads. */
  readonly settings?: readonly string[];
  validate(
    draft: RegisterDraft,
    context: ValidationContext,
  ): readonly ValidationRow[] | Promise<readonly ValidationRow[]>;
}
