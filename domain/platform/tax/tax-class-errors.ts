import type { InputError } from '../../errors.ts';
import { missingField, wrongField } from '../input-errors.ts';

/** Whether a class is one of goods or of customers. */
export const taxClassTypes = ['CUSTOMER', 'PRODUCT'] as const;
export type TaxClassType = (typeof taxClassTypes)[number];

/** A tax class as it is sent. */
export interface TaxClassDraft {
  className?: string | undefined;
  classType?: string | undefined;
}

export const isTaxClassType = (text: string | undefined): text is TaxClassType =>
  taxClassTypes.some((type) => type === text);

/** Everything that is wrong with a tax class, in the platform's words and order (platform facts 9.5). */
export const taxClassErrors = ({ className, classType }: TaxClassDraft): InputError[] => [
  ...(className?.trim() ? [] : [missingField('class_name')]),
  ...(classType?.trim() ? [] : [missingField('class_type')]),
  ...(!classType?.trim() || isTaxClassType(classType) ? [] : [wrongField('class_type', classType)]),
];
