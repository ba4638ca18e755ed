type Link = { href: string; type: 'get' | 'post' | 'put' | 'patch' | 'delete'; templated: boolean };
export type Links = Record<string, Link>;

/** The contract's link object; href is relative to the base URL, type is the method in lower case. */
export function link(href: string, type: Link['type'] = 'get'): Link {
  return { href, type, templated: false };
}
