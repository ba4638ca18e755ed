import { people } from '../../playground/people.ts';
import { createPage } from '../../playground/web/serve-page.ts';

let page: ReturnType<typeof createPage> | undefined;

/** The page, built once for all files of a worker: it keeps nothing about who looks at it. */
export function builtPage(): ReturnType<typeof createPage> {
  page ??= createPage({ openAs: people.ana });
  return page;
}
