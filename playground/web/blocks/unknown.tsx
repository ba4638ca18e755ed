/** A placeholder for what this page can't render. It must not look like content of the app. */
export function Unknown({ type }: { type: string }) {
  return <span className="unknown">[{type}]</span>;
}
