import { userInfo } from 'node:os';
import type { Author } from '../../db/audit/record-difference.ts';

/** The operator's name for the audit trail: an administrator, by the system's user name (spec 2.15). */
export function operator(): Author {
  return { changeSource: 'admin', staffName: `${systemName()} (pos)` };
}

/** In a container a user may have a number without a name. */
function systemName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
