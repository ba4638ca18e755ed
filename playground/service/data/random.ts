export type NonEmpty<T> = readonly [T, ...T[]];

/** A pseudorandom generator: the same seed gives the same sequence. */
export type Random = {
  /** In [0, 1). */
  fraction: () => number;
  /** Inclusive. */
  integer: (lowest: number, highest: number) => number;
  chance: (probability: number) => boolean;
  pick: {
    <T>(choices: NonEmpty<T>): T;
    /** Undefined if there are no choices. */
    <T>(choices: readonly T[]): T | undefined;
  };
  uuid: () => string;
};

/** A xorshift generator: small, and good enough for sample data. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;

  function fraction(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  }
  function integer(lowest: number, highest: number): number {
    return lowest + Math.floor(fraction() * (highest - lowest + 1));
  }
  function pick<T>(choices: NonEmpty<T>): T;
  function pick<T>(choices: readonly T[]): T | undefined;
  function pick<T>(choices: readonly T[]): T | undefined {
    return choices[integer(0, choices.length - 1)];
  }
  function word(): string {
    return integer(0, 0xffffffff).toString(16).padStart(8, '0');
  }
  function uuid(): string {
    const [first, second, third, fourth] = [word(), word(), word(), word()];
    const [middle, tail] = [second.slice(0, 4), `${third.slice(3)}${fourth}`.slice(0, 12)];
    return `${first}-${middle}-4${second.slice(4, 7)}-a${third.slice(0, 3)}-${tail}`;
  }

  // Adjacent seeds give similar first values; a few rounds separate them.
  for (let turn = 0; turn < 8; turn += 1) fraction();

  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick,
    uuid,
  };
}
