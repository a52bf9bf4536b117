import { PosError } from '../../../domain/errors.ts';

/** 400: the website has an account with this e-mail. Of two concurrent creates the second gets it. */
export class EmailTaken extends PosError {
  constructor(cause: unknown) {
    super(
      { status: 400, message: 'A customer with the same email address already exists in an associated website.' },
      { cause },
    );
  }
}
