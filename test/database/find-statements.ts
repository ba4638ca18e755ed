import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { columns } from './expected-columns.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A statement, or a part of one, in the sources. Subqueries are separate and left out of `text`. */
export type FoundStatement = { file: string; line: number; text: string };

const teamTables = Object.entries(columns)
  .filter(([, names]) => names.some((name) => name === 'team_id'))
  .map(([table]) => table);

/** A query of Kysely begins like this; the name of a table that is a variable may be any. */
const queryStart = new RegExp(
  `\\b(?:selectFrom|updateTable|deleteFrom)\\(\\s*(?:'(?:${teamTables.join('|')})(?: as \\w+)?'|\\w+)\\s*\\)`,
);
const anyQueryStart = /\b(?:selectFrom|updateTable|deleteFrom)\(/;
const templateStart = /\bsql(?:<(?:[^<>`]|<[^<>]*>|=>)*>)?`/;
const templateTable = new RegExp(
  `(?<!distinct )\\b(?:from|join|update|into)\\s+(?:${teamTables.join('|')})\\b|sql\\.table\\(`,
);
const nextCall = /(?:\s|\/\/[^\n]*\n)*\.\$?\w+(?:<[^()]*?>)?(?=\()/y;

export function readSources(): { file: string; text: string }[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !/src\/database\/(?:migrations|transfer)\//.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

/** The statements about tables with a `team_id`, but for inserts, whose rows always have one. */
export function findStatements({ file, text }: { file: string; text: string }): FoundStatement[] {
  const at = (index: number, found: string) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    text: found.replaceAll(/\s+/g, ' '),
  });
  const queries = [...text.matchAll(new RegExp(queryStart, 'g'))].map(({ index, 0: start }) => {
    const end = endOfChain(text, index);
    return at(index, start + withoutSubqueries(text.slice(index + start.length, end)));
  });
  const templates: FoundStatement[] = [];
  for (const start of new RegExp(templateStart, 'g')[Symbol.matchAll](text)) {
    const { index } = start;
    const end = endOfText(text, index + start[0].length - 1);
    const found = text.slice(index, end);
    if (templateTable.test(found)) templates.push(at(index, found));
  }
  return [...queries, ...templates];
}

function withoutSubqueries(query: string): string {
  const start = anyQueryStart.exec(query);
  if (!start) return query;
  const rest = query.slice(endOfChain(query, start.index));
  return query.slice(0, start.index) + withoutSubqueries(rest);
}

/** After the last of the calls that begin at this call. */
function endOfChain(source: string, start: number): number {
  let end = endOfBrackets(source, source.indexOf('(', start));
  for (;;) {
    nextCall.lastIndex = end;
    if (!nextCall.test(source)) return end;
    end = endOfBrackets(source, nextCall.lastIndex);
  }
}

/** `start` is that of an opening bracket. */
function endOfBrackets(source: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const char = source.charAt(at);
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 2;
    else at = '\'"`'.includes(char) ? endOfText(source, at) : at + 1;
  } while (depth > 0 && at < source.length);
  return at;
}

/** `start` is that of a quote. */
function endOfText(source: string, start: number): number {
  const quote = source.charAt(start);
  let at = start + 1;
  while (source.charAt(at) !== quote && at < source.length) {
    if (source.charAt(at) === '\\') at += 2;
    else if (quote === '`' && source.startsWith('${', at)) at = endOfBrackets(source, at + 1);
    else at += 1;
  }
  return at + 1;
}
