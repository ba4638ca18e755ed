import { z } from 'zod';
import { personalDigest } from './hash-chain.ts';
import type { ChainRow } from './read-chain.ts';

const erasure = z.object({ entries: z.array(z.coerce.number()) });

/**
 * Checks that each personal text is there as written, or recorded as erased. Needs two bits for each
 * entry, so that a long log does not fill the memory.
 */
export function createTextCheck() {
  const present = createBitSet();
  const missing = createBitSet();
  let erasedTexts = 0;
  let back: number | undefined;

  /** An erasure only counts for entries before it. */
  function recordErasure(row: ChainRow): void {
    const { data } = erasure.safeParse(JSON.parse(row.facts));
    for (const seq of data?.entries ?? []) {
      if (seq >= row.seq) continue;
      if (present.has(seq)) back ??= seq;
      if (missing.has(seq)) erasedTexts += 1;
      missing.delete(seq);
    }
  }

  return {
    check(row: ChainRow): string | undefined {
      if (row.event === 'erased') recordErasure(row);
      if (row.personal_digest === null) {
        return row.personal && `personal text was added to entry ${row.seq}`;
      }
      if (!row.personal) {
        missing.add(row.seq);
        return undefined;
      }
      present.add(row.seq);
      return personalDigest(row.personal) === row.personal_digest
        ? undefined
        : `the personal text of entry ${row.seq} was changed`;
    },

    findBreak([orphan]: number[]): string | undefined {
      const unrecorded = missing.first();
      if (unrecorded !== undefined) {
        return `the personal text of entry ${unrecorded} is missing, but no erasure was recorded`;
      }
      if (back !== undefined) return `the personal text of entry ${back} is back after its erasure`;
      return orphan === undefined
        ? undefined
        : `there is personal text for entry ${orphan}, which does not exist`;
    },

    countErased: () => erasedTexts,
  };
}

/** A set of whole numbers from 0 on that grows with the largest one. */
function createBitSet() {
  let bytes = new Uint8Array(1024);
  const byteAt = (at: number) => bytes[at >>> 3] ?? 0;
  const bit = (at: number) => 1 << (at & 7);
  return {
    add(at: number) {
      if (at >>> 3 >= bytes.length) {
        const grown = new Uint8Array(2 * ((at >>> 3) + 1));
        grown.set(bytes);
        bytes = grown;
      }
      bytes[at >>> 3] = byteAt(at) | bit(at);
    },
    delete(at: number) {
      if (at >>> 3 < bytes.length) bytes[at >>> 3] = byteAt(at) & ~bit(at);
    },
    has: (at: number) => at >= 0 && (byteAt(at) & bit(at)) !== 0,
    first(): number | undefined {
      const byte = bytes.findIndex((value) => value !== 0);
      if (byte < 0) return undefined;
      return byte * 8 + Math.log2(byteAt(8 * byte) & -byteAt(8 * byte));
    },
  };
}
