/** An answer whose JSON text is made already, as it goes over the line. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
