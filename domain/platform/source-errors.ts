import type { InputError } from '../errors.ts';
import { emptyErrors, whitespaceErrors } from './source-item-errors.ts';

interface SourceDraft {
  sourceCode?: string | undefined;
  name?: string | undefined;
  postcode?: string | null | undefined;
  countryId?: string | undefined;
}

/** What is wrong with a stock source, in the order of the platform's own checks (platform facts 2.2). */
export const sourceErrors = ({ sourceCode = '', name = '', postcode, countryId = '' }: SourceDraft): InputError[] => [
  ...emptyErrors(sourceCode, 'source_code'),
  ...whitespaceErrors(sourceCode, 'source_code'),
  ...emptyErrors(name, 'name'),
  ...emptyErrors(postcode ?? '', 'postcode'),
  ...emptyErrors(countryId, 'country_id'),
];
