/** The text of a mail; its recipient is kept elsewhere. */
export interface Letter {
  subject: string;
  text: string;
}
