/** A request for a page, of a browser that nobody has authenticated. */
export type PageRequest = { query: URLSearchParams; cookies: string | undefined };

export type PageResponse = { status: number; headers: Record<string, string>; html: string };

/** By path. Each answers GET only. */
export type Pages = ReadonlyMap<string, (request: PageRequest) => Promise<PageResponse>>;
