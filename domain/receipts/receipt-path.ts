/** Where a receipt's public page is, under the address of the shop. */
export const receiptPath = (token: string) => `/receipt/${token.toLowerCase()}`;

/** Where a shop's logo is served: named after its bytes, so that it never changes there. */
export const logoPath = (digest: string) => `/receipt-logo/${digest}`;
