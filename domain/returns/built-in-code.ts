/** The built-in returns provider's name in rows, settings and answers. */
export const builtInCode = 'builtin';
