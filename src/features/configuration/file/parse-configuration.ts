import type { Document } from 'yaml';
import { loadYaml } from '../../../yaml.ts';
import { configurationFile, type PartialWorkspace } from './configuration.ts';

/** The file can't be used; `message` is one line that says where. Nothing was changed. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** The workspaces of a file, by id, and where each of their values stands. */
export type ParsedFile = {
  workspaces: Map<string, PartialWorkspace>;
  /** An error about the value at this path. */
  errorAt: (path: PropertyKey[], problem: string) => ConfigurationError;
};

/** @throws {ConfigurationError} naming line and path, and never a value, which could be a token. */
export function parseConfiguration(text: string, name: string): ParsedFile {
  const { isNode, LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new ConfigurationError(`${name}:${line}:${col}: invalid YAML (${fault.code}).`);
  }
  /** The line of the value, or of the closest one around it that is there. */
  const lineOf = (path: PropertyKey[]): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const errorAt = (path: PropertyKey[], problem: string) =>
    new ConfigurationError(
      `${name}:${lineOf(path)}: ${path.map(String).join('.') || 'file'}: ${problem}.`,
    );
  const unresolved = findUnresolvedAlias(document);
  if (unresolved !== undefined) {
    const { line } = lines.linePos(unresolved);
    throw new ConfigurationError(`${name}:${line}: an alias has no matching anchor before it.`);
  }
  const parsed = configurationFile.safeParse(toValue(document, name));
  const issue = parsed.error?.issues[0];
  if (issue) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const problem = keys.length > 0 ? 'unknown key' : issue.message;
    throw errorAt([...issue.path, ...keys], problem.replace(/\.$/, ''));
  }
  return { workspaces: new Map(Object.entries(parsed.data?.workspaces ?? {})), errorAt };
}

/** The line of an alias. Its name is never shown: a token that begins with an asterisk looks like one. */
function findUnresolvedAlias(document: Document): number | undefined {
  const { visit } = loadYaml();
  let found: number | undefined;
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document)) return undefined;
      found = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

function toValue(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new ConfigurationError(`${name}:1: too many aliases.`);
  }
}
