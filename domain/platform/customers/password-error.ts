import type { InputError } from '../../errors.ts';

const minLength = 8;
const minClasses = 3;

/** What the platform finds wrong with a new password, or nothing (platform facts 2.4). */
export function passwordError({ password, email }: { password: string; email: string }): InputError | undefined {
  if (Array.from(password.trim()).length < minLength)
    return {
      message: 'The password needs at least %1 characters. Create a new password and try again.',
      parameters: [minLength],
    };
  if (password.toLowerCase() === email.toLowerCase())
    return {
      message: "The password can't be the same as the email address. Create a new password and try again.",
      parameters: [],
    };
  if (classesOf(password) < minClasses)
    return {
      message:
        'Minimum of different classes of characters in password is %1. Classes of characters: Lower Case, Upper Case, Digits, Special Characters.',
      parameters: [minClasses],
    };
  return undefined;
}

const classesOf = (password: string) =>
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((characters) => characters.test(password)).length;
