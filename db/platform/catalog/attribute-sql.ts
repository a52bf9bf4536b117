/** A custom attribute as SQL, for lists and for the indexes that serve them: both must say it in the same words. */

export const textOf = (code: string) => `(custom_attributes ->> '${code}')`;

/** Null where the attribute is no price: a caller may have saved any text. No `?`: it marks a parameter. */
export const numberOf = (code: string) =>
  `(case when ${textOf(code)} ~ '^[0-9]{1,30}([.][0-9]{1,30}){0,1}$' then ${textOf(code)}::numeric end)`;
