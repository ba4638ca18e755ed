type BaseUrl = {
  origin: string;
  /** Without a slash at the end. */
  path: string;
};

/** The parts of a region's base URL. */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, path: pathname.replace(/\/+$/, '') };
}
