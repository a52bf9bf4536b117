import { z } from 'zod';
import { text } from '../../wire/schemas.ts';

/** Longer than any password bcrypt reads, short enough to refuse before hashing. */
const maxPassword = 1_024;

/** Absent fields are answered like empty ones (platform facts 1.3). */
export const credentials = z.object({ username: text(255).default(''), password: text(maxPassword).default('') });

/** The answer of a sign-in: the token as a JSON string. */
export const tokenAnswer = z.string();
