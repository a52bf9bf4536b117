import type { SecretBox } from '../support/secret-box.ts';
import type { DocumentRemark } from '../platform/orders/document-remark.ts';

/** What people wrote about a document passes through Temporal only sealed: its pages are read by many. */
const purpose = 'document comment';

export const sealRemark = (box: SecretBox, remark: DocumentRemark): string => box.seal(JSON.stringify(remark), purpose);

/** Throws where another secret key sealed it: a fault of the set-up. */
export function openRemark(box: SecretBox, sealed: string): DocumentRemark {
  const remark: DocumentRemark = JSON.parse(box.open(sealed, purpose));
  return remark;
}
