type BaseUrl = {
  origin: string;
  /** Without a slash at the end. */
  path: string;
};

const parsed = new Map<string, BaseUrl>();

/** The parts of a region's base URL, parsed once: every request needs them several times. */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  const known = parsed.get(baseUrl);
  if (known) return known;
  const { origin, pathname } = new URL(baseUrl);
  const base = { origin, path: pathname.replace(/\/+$/, '') };
  parsed.set(baseUrl, base);
  return base;
}
