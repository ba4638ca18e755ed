/** Reads the whole list and returns the number of users. */
type Contender = (baseUrl: string) => Promise<number>;

const headers = { authorization: 'Bearer a.b.c', accept: 'application/api.service.*=v1+json' };

type RawPage = {
  _links: { _next: { href: string } | null };
  _embedded: { items: unknown[] };
};

/** High enough that the limiter of Belay's client never waits. */
export const requestsPerSecond = 1_000_000;

/** The plain loop: a page, its users, its next link. */
async function readAll(baseUrl: string, readPage: (url: string) => Promise<RawPage>) {
  let userCount = 0;
  for (let url: string | undefined = `${baseUrl}/users`; url; ) {
    const page: RawPage = await readPage(url);
    userCount += page._embedded.items.length;
    const next: string | undefined = page._links._next?.href;
    url = next && `${baseUrl}${next}`;
  }
  return userCount;
}

/** Libraries are imported on demand, so that each process only loads the one it measures. */
export const contenders: Record<string, () => Promise<Contender>> = {
  async belay() {
    const { createServiceClient } = await import('../../src/dataprotection/client.ts');
    const { createDiscoveryCache } = await import(
      '../../src/dataprotection/dialects/discovery-cache.ts'
    );
    const { createDispatcher } = await import('../../src/dataprotection/http/dispatcher.ts');
    const { createLimiters } = await import('../../src/dataprotection/http/limiter.ts');
    const { listUsers } = await import('../../src/dataprotection/resources/users.ts');
    // Belay loads it at the first request, but the other contenders don't count it either.
    await import('undici');
    return async (baseUrl) => {
      const transport = {
        dispatcher: createDispatcher(),
        limiters: createLimiters(),
        discoveryCache: createDiscoveryCache(),
      };
      const connection = { baseUrl, dialect: 'documented' as const, token: 'a.b.c' };
      const client = createServiceClient({ ...connection, requestsPerSecond }, transport);
      let userCount = 0;
      for await (const page of listUsers(client)) userCount += page.items.length;
      return userCount;
    };
  },
  async undici() {
    const { Agent, request } = await import('undici');
    return (baseUrl) => {
      const dispatcher = new Agent();
      return readAll(baseUrl, async (url) => {
        const { body } = await request(url, { dispatcher, headers });
        return JSON.parse(await body.text());
      });
    };
  },
  async fetch() {
    const readJson = async (url: string): Promise<RawPage> =>
      (await fetch(url, { headers })).json();
    return (baseUrl) => readAll(baseUrl, async (url) => readJson(url));
  },
  async axios() {
    const { Agent } = await import('node:http');
    const { default: axios } = await import('axios');
    return (baseUrl) => {
      const http = axios.create({ httpAgent: new Agent({ keepAlive: true }), headers });
      return readAll(baseUrl, async (url) => (await http.get<RawPage>(url)).data);
    };
  },
  async got() {
    const { Agent } = await import('node:http');
    const { default: got } = await import('got');
    return (baseUrl) => {
      const http = got.extend({ agent: { http: new Agent({ keepAlive: true }) }, headers });
      return readAll(baseUrl, (url) => http(url).json<RawPage>());
    };
  },
};
