/** An answer whose JSON text is made already, as it goes over the line: in pieces, so that what is kept is not copied. */
export class JsonText {
  readonly pieces: readonly (string | Buffer)[];

  constructor(...pieces: readonly (string | Buffer)[]) {
    this.pieces = pieces;
  }

  get text(): string {
    return this.pieces.map(String).join('');
  }
}
