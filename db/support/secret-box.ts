import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** Seals secrets at rest and opens them again. */
export interface SecretBox {
  /** `purpose` is bound to the text: a text sealed for one purpose does not open for another. */
  seal(clear: string, purpose: string): string;
  open(sealed: string, purpose: string): string;
  /**
   * A digest that cannot be computed or guessed without the key: 64 hexadecimal digits, always the same for the same
   * text.
   */
  digest(clear: string, purpose: string): string;
  /** That digest, and what it was with each earlier key: for links that went out before the key changed. */
  digests(clear: string, purpose: string): readonly string[];
}

/** A box that tells what its present key sealed. */
export interface KeyRing extends SecretBox {
  /** What begins everything that the present key seals. */
  mark: string;
}

const version = 'v1';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a fresh nonce per text; `v1:<key id>:<nonce, tag and text in base64>`.
 *
 * @param current the key of POS_SECRET_KEY: 32 bytes, base64
 * @param former earlier keys: they still open, but nothing is sealed with them
 */
export function createSecretBox(current: string, former: readonly string[] = []): KeyRing {
  const keys = new Map([current, ...former].map((key) => [keyIdOf(key), bytesOf(key)]));
  const mark = `${version}:${keyIdOf(current)}:`;
  const digestBy = (secret: Buffer, clear: string, purpose: string) => {
    const key = createHmac('sha256', secret).update(`digest ${purpose}`).digest();
    return createHmac('sha256', key).update(clear).digest('hex');
  };
  return {
    mark,
    seal(clear, purpose) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', bytesOf(current), iv, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(purpose));
      const text = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()]);
      return mark + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
    },
    digest: (clear, purpose) => digestBy(bytesOf(current), clear, purpose),
    digests: (clear, purpose) => [...keys.values()].map((key) => digestBy(key, clear, purpose)),
    open(sealed, purpose) {
      const [, keyId = '', body = ''] = sealed.split(':');
      const key = keys.get(keyId);
      if (!key)
        throw new Error(
          `A secret (${purpose}) was sealed with a key that neither POS_SECRET_KEY nor POS_SECRET_KEY_OLD is.`,
        );
      const bytes = Buffer.from(body, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** Identifies a key without revealing anything about it. */
const keyIdOf = (key: string) => createHash('sha256').update(bytesOf(key)).digest('hex').slice(0, 8);

function bytesOf(key: string): Buffer {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== keyBytes) throw new RangeError('A secret key is 32 bytes in base64.');
  return bytes;
}
