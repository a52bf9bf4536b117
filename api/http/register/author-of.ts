import type { Author } from '../../../db/audit/record-difference.ts';
import type { Caller } from '../route.ts';

/**
 * The author in an audit entry: an administrator is `admin` with the user's name, an integration is `api` (spec
 * 2.15).
 */
export const authorOf = ({ userType, name }: Caller): Author => ({
  changeSource: userType === 'admin' ? 'admin' : 'api',
  staffName: name,
});
