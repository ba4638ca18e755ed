/** A gap in this page, said as one: it must not look like what an app drew. */
export function Unknown({ type }: { type: string }) {
  return <span className="unknown">[{type}]</span>;
}
