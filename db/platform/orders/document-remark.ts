/** A caller's comment on a document. */
export interface DocumentRemark {
  comment: string;
  isCustomerNotified?: boolean;
  isVisibleOnFront?: boolean;
}
