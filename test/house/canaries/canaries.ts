import { randomBytes } from 'node:crypto';

/** What must not be seen: one unique text per kind of secret, however it may be written. */
export class Canaries {
  readonly #planted: { kind: string; forms: string[] }[] = [];

  /** A new secret of this kind; what a format asks for goes in front of it. */
  hatch(kind: string, prefix = 'canary'): string {
    return this.plant(kind, `${prefix}${randomBytes(9).toString('hex')}`);
  }

  /** A secret the shop made up itself. */
  plant(kind: string, secret: string): string {
    const bytes = Buffer.from(secret);
    const forms = [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')];
    this.#planted.push({ kind, forms: [...forms, encodeURIComponent(secret)] });
    return secret;
  }

  get kinds(): string[] {
    return [...new Set(this.#planted.map(({ kind }) => kind))];
  }

  /** The kinds of secrets this text tells, in clear, in base64, in hexadecimal or in upper or lower case. */
  seenIn(text: string): string[] {
    const small = text.toLowerCase();
    const isSeen = ({ forms }: { forms: string[] }) => forms.some((form) => small.includes(form.toLowerCase()));
    return [...new Set(this.#planted.filter(isSeen).map(({ kind }) => kind))].toSorted();
  }
}
