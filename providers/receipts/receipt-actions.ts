/** The actions of a visitor on the public page, and the result of the last one. None of them needs a script. */
export interface ReceiptActions {
  /** Where the form with the address `email` is posted; absent: no such form. */
  emailUrl?: string;
  /** The address of the PDF; absent: no PDF. */
  downloadUrl?: string;
  /** Where the form with `email` and `password` is posted; absent: no such form, or claimed already. */
  claimUrl?: string;
  /** Shown above the receipt, once. */
  notice?: ReceiptNotice;
  /** Hidden fields of every form, such as a token against forged requests. */
  hidden?: readonly { name: string; value: string }[];
}

export interface ReceiptNotice {
  text: string;
  isProblem: boolean;
}
