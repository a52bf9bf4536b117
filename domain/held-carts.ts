/**
 * Whether a text can be a register's own name for a cart (spec 2.8, `cart_uuid`): 1 to 100 letters, digits and `. _ :
 * ~ { } -`. UUIDs in every spelling fit, and the shorter ids that some clients make (our choice).
 */
export const isCartIdentity = (text: string) => /^[A-Za-z0-9{][A-Za-z0-9._:~{}-]{0,99}$/.test(text);
