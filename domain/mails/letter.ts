/** A mail as it is read: who gets it is known elsewhere. */
export interface Letter {
  subject: string;
  text: string;
}
