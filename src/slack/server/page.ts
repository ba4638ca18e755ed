/** A request for a page, from a browser that isn't authenticated. */
export type PageRequest = {
  query: URLSearchParams;
  cookies: string | undefined;
  /** Where the browser is, to share what is limited between senders. */
  network: string;
  /** The header Sec-Fetch-Site: whether one of Belay's own pages made the browser send this. */
  fetchSite: string | undefined;
};

export type PageResponse = { status: number; headers: Record<string, string>; html: string };

/** A page, and what it does with its form if it has one. */
export type Page = {
  get: (request: PageRequest) => Promise<PageResponse>;
  post?: (request: PageRequest & { form: URLSearchParams }) => Promise<PageResponse>;
};

/** By path. */
export type Pages = ReadonlyMap<string, Page>;
