import { type Binding, type Cipher, sealedPrefix } from './cipher.ts';

/** One encrypted value in the database. */
export type SealedValue = {
  id: string;
  teamId: string;
  sealed: string;
  /** What it was sealed for; undefined if the row no longer says so, and nothing can open it. */
  binding: Binding | undefined;
  /** For people: "The API token for region eu". */
  name: string;
};

/** Every encrypted value of one table. */
export type SealedValues = {
  table: string;
  /** What a person can do about a value whose key is lost, as mrkdwn: "enter the token again". */
  remedy: string;
  /** Values that don't begin with `prefix`, ordered by id, after the id `after`. */
  list: (page: {
    prefix: string;
    after: string | undefined;
    limit: number;
  }) => Promise<SealedValue[]>;
  /** Stores `sealed` if the value is still the one that was read; resolves to whether it was. */
  replace: (value: SealedValue, sealed: string) => Promise<boolean>;
};

/** A value that the first key did not seal, and its text if another key opens it. */
type OutdatedValue = {
  value: SealedValue;
  source: SealedValues;
  text: string | undefined;
};

const pageSize = 100;

/** Reads a page at a time. A value that is replaced meanwhile is not read twice. */
export async function* findOutdated(
  sources: SealedValues[],
  cipher: Cipher,
): AsyncGenerator<OutdatedValue> {
  const prefix = sealedPrefix(cipher.currentKeyId);
  for (const source of sources) {
    let after: string | undefined;
    do {
      const page = await source.list({ prefix, after, limit: pageSize });
      for (const value of page) {
        yield { value, source, text: value.binding && cipher.open(value.sealed, value.binding) };
      }
      after = page.length < pageSize ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  }
}

/**
 * Encrypts with the first key what an older key of the list encrypted. Compares and sets, so any
 * number of processes can do it at once, and a value that somebody saves meanwhile stays. What no
 * key opens is left as it is.
 */
export async function reencrypt(
  sources: SealedValues[],
  cipher: Cipher,
  stopping?: AbortSignal,
): Promise<void> {
  for await (const { value, source, text } of findOutdated(sources, cipher)) {
    if (stopping?.aborted) return;
    if (text === undefined || !value.binding) continue;
    await source.replace(value, cipher.seal(text, value.binding));
  }
}
