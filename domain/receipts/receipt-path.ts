/** The path of a receipt's public page, below the shop's address. */
export const receiptPath = (token: string) => `/receipt/${token.toLowerCase()}`;

/** The path of a shop's logo. It is named after its bytes, so its content never changes. */
export const logoPath = (digest: string) => `/receipt-logo/${digest}`;
