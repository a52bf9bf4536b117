/** A tax rule as it is sent. */
export interface TaxRuleDraft {
  code?: string | undefined;
  priority?: number | undefined;
  position?: number | undefined;
  calculateSubtotal?: boolean | undefined;
  customerTaxClassIds?: readonly number[] | undefined;
  productTaxClassIds?: readonly number[] | undefined;
  taxRateIds?: readonly number[] | undefined;
}

/** What a rule refers to, as far as it exists. */
export interface KnownTerms {
  classes: readonly { classId: number; classType: string }[];
  rateIds: readonly number[];
}

/**
 * Everything that is wrong with a tax rule, as the platform's sentences (platform facts 9.5). Unlike those of a rate
 * they come filled in. A class of the wrong kind keeps `%fieldValue`: so the platform writes it, and clients know it.
 */
export const taxRuleFaults = (rule: TaxRuleDraft, known: KnownTerms): string[] => [
  ...orderFaults('position', rule.position),
  ...orderFaults('priority', rule.priority),
  ...(rule.code?.trim() ? [] : [required('code')]),
  ...classFaults('customer_tax_class_ids', 'CUSTOMER', rule.customerTaxClassIds, known),
  ...classFaults('product_tax_class_ids', 'PRODUCT', rule.productTaxClassIds, known),
  ...rateFaults(rule.taxRateIds, known),
];

function orderFaults(field: string, place: number | undefined): string[] {
  if (place === undefined) return [required(field)];
  return place < 0 ? [`The ${field} value of "${place}" must be greater than or equal to 0.`] : [];
}

function classFaults(
  field: string,
  type: string,
  ids: readonly number[] | undefined,
  { classes }: KnownTerms,
): string[] {
  if (!ids?.length) return [required(field)];
  const strangers = ids.filter((id) => !classes.some(({ classId }) => classId === id));
  const ofOtherKind = classes.some(({ classId, classType }) => ids.includes(classId) && classType !== type);
  return [
    ...strangers.slice(0, 1).map((id) => `No such entity with class_id = ${id}`),
    ...(ofOtherKind ? [`No such entity with ${field} = %fieldValue`] : []),
  ];
}

function rateFaults(ids: readonly number[] | undefined, { rateIds }: KnownTerms): string[] {
  if (!ids?.length) return [required('tax_rate_ids')];
  return ids
    .filter((id) => !rateIds.includes(id))
    .slice(0, 1)
    .map((id) => `No such entity with tax_rate_ids = ${id}`);
}

const required = (field: string) => `"${field}" is required. Enter and try again.`;
