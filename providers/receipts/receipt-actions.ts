/** What a visitor can do on the public page, and what became of what he did. No script is needed for any of it. */
export interface ReceiptActions {
  /** Where the form with the address `email` is posted; absent: not offered. */
  emailUrl?: string;
  /** Where the PDF is; absent: not offered. */
  downloadUrl?: string;
  /** Where the form with `email` and `password` is posted; absent: not offered, or claimed already. */
  claimUrl?: string;
  /** Said above the receipt, once. */
  notice?: ReceiptNotice;
  /** Fields that every form sends along, such as a token against forged requests. */
  hidden?: readonly { name: string; value: string }[];
}

export interface ReceiptNotice {
  text: string;
  isProblem: boolean;
}
