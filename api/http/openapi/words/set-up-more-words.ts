/** Words of terminals, locations, staff, settings and the audit trail. */
export const setUpMoreWords: Readonly<Record<string, string>> = {
  has_msi: 'Whether stock is kept by source. False: leave `/V1/inventory` alone.',
  shipping_label_providers: 'Providers of shipping labels.',
  credit_providers: 'The providers of credit.',
  rma_providers: 'The providers of returns.',
  key: 'Its key.',
};
