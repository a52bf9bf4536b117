/** Whether PostgreSQL can store this string: no NUL character and no lone surrogate. */
export const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed();
