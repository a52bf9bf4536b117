import { userInfo } from 'node:os';
import type { Author } from '../../db/audit/record-difference.ts';

/** Who runs the tool, as the audit trail names them: an administrator, by the name the system has (spec 2.15). */
export function operator(): Author {
  return { changeSource: 'admin', staffName: `${systemName()} (pos)` };
}

/** In a container a user may have a number and no name. */
function systemName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
