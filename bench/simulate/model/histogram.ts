/** How late work was, weighted by how much of it there was. */
export type Histogram = {
  add: (seconds: number, count: number) => void;
  count: () => number;
  /** Seconds, rounded up to the width of a bin; NaN if empty. */
  percentile: (share: number) => number;
};

export function createHistogram(binSeconds: number): Histogram {
  const bins = new Map<number, number>();
  let total = 0;
  return {
    add(seconds, count) {
      const bin = Math.ceil(Math.max(0, seconds) / binSeconds);
      bins.set(bin, (bins.get(bin) ?? 0) + count);
      total += count;
    },
    count: () => total,
    percentile(share) {
      let seen = 0;
      for (const [bin, count] of [...bins].sort(([a], [b]) => a - b)) {
        seen += count;
        if (seen >= share * total - 1e-6) return bin * binSeconds;
      }
      return Number.NaN;
    },
  };
}
