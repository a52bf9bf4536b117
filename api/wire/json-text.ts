/** An answer whose JSON text exists already: in pieces, so that cached ones are not copied. */
export class JsonText {
  readonly pieces: readonly (string | Buffer)[];

  constructor(...pieces: readonly (string | Buffer)[]) {
    this.pieces = pieces;
  }

  get text(): string {
    return this.pieces.map(String).join('');
  }
}
