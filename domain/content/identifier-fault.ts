import type { ContentKind } from './content-kind.ts';

/** The permitted form of a page's address (platform facts 2.4). */
const urlKey = /^[a-z0-9][a-z0-9_/-]*(\.[a-z0-9_-]+)?$/;
const attributeCode = /^[a-z][a-z0-9_]{0,59}$/;
const name = /^[\p{L}\p{N}][\p{L}\p{N} _./-]*$/u;

/** Why content of this kind cannot have this identifier; undefined where it can. */
export function identifierFault(kind: ContentKind, identifier: string): string | undefined {
  switch (kind) {
    case 'page':
      return pageFault(identifier);
    case 'product_attribute':
    case 'category_attribute':
      return attributeCode.test(identifier) ? undefined : 'An attribute code has small letters, digits and _ only.';
    case 'block':
    case 'template':
    case 'snippet':
      return name.test(identifier) ? undefined : 'An identifier has letters, digits, blanks and _ . / - only.';
  }
}

function pageFault(key: string): string | undefined {
  if (/^\d+$/.test(key)) return "The page URL key can't use only numbers. Add letters or symbols and try again.";
  if (urlKey.test(key)) return undefined;
  return "The page URL key can't use capital letters or disallowed symbols. Remove the letters and symbols and try again.";
}
