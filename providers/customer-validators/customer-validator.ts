import type { DraftField, RegisterDraft } from '../../domain/customers/register-draft.ts';
import type { ValidationRow } from '../../domain/customers/validation-row.ts';

/** What a validator may know beside the draft. */
export interface ValidationContext {
  /** The website the account would be saved on, after 0 was resolved; undefined where the website is nobody's. */
  websiteId: number | undefined;
  /** Of the draft, else of the location, else of the shop: never empty. In capitals. */
  countryId: string;
  /** An account of the website has this e-mail, and it is not the one that is edited. */
  isEmailTaken: boolean;
  /** `YYYY-MM-DD`. */
  today: string;
  /** Nobody waits for what comes later. */
  deadline: Date;
  /** A setting that the validator named in `settings`, as it holds for the website of the request; empty where nobody set it. */
  setting: (path: string) => string;
}

/**
 * Looks at what a register entered of a customer, and says what is wrong with it (spec 2.9, 4.5).
 *
 * It is asked before anything is saved, at every validate and again at every create, and holds no lock. It may be asked
 * any number of times about one draft, writes nothing, and ends by its deadline. What it throws, and what is no row, the
 * cashier sees as a warning that it could not be asked.
 */
export interface CustomerValidator {
  /** What settings select it by: small letters, digits and `_`. */
  readonly key: string;
  /** For operators. */
  readonly label: string;
  /** The field that a failure of it is told beside. */
  readonly field: DraftField;
  /** Paths of the settings it reads. */
  readonly settings?: readonly string[];
  validate(
    draft: RegisterDraft,
    context: ValidationContext,
  ): readonly ValidationRow[] | Promise<readonly ValidationRow[]>;
}
