/** The code of the built-in returns provider in rows, settings and answers. */
export const builtInCode = 'builtin';
