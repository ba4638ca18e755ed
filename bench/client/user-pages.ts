export const pageSize = 100;

/**
 * Every page of the list in the contract's envelope, serialized, by the position of its first user.
 */
export function createPages(userCount: number): Map<number, Buffer> {
  const pages = new Map<number, Buffer>();
  for (let start = 1; start <= userCount; start += pageSize) {
    pages.set(start, Buffer.from(JSON.stringify(createPage(start, userCount))));
  }
  return pages;
}

function createPage(start: number, userCount: number) {
  const size = Math.min(pageSize, userCount - start + 1);
  const at = (position: number) => link(`/users?limit=${pageSize}&start=${position}`);
  return {
    start: String(start),
    total_count: userCount,
    total_pages_count: Math.ceil(userCount / pageSize),
    current_count: size,
    limit: pageSize,
    _links: {
      _self: at(start),
      _first: at(1),
      _next: start + size <= userCount ? at(start + size) : null,
    },
    _embedded: { items: Array.from({ length: size }, (_, index) => createUser(start + index)) },
  };
}

function createUser(number: number) {
  const path = `/users/${number}`;
  return {
    id: String(number),
    full_name: `Given Family ${number}`,
    email: `given.family.${number}@example.com`,
    is_confirmed: true,
    is_enabled: number % 8 !== 0,
    last_activity_timestamp: new Date(Date.UTC(2026, 10, 21) - number * 1000).toISOString(),
    inviter: String((number % 10) + 1),
    organizational_unit_count: 1,
    _links: {
      _self: link(path),
      'update-user': link(path, 'patch'),
      'delete-user': link(path, 'delete'),
    },
  };
}

function link(href: string, type = 'get') {
  return { href, templated: false, type };
}
