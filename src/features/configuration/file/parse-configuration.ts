import { isNode, LineCounter, parseDocument } from 'yaml';
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
  const parsed = configurationFile.safeParse(document.toJS({ maxAliasCount: 100 }));
  const issue = parsed.error?.issues[0];
  if (issue) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const problem = keys.length > 0 ? 'unknown key' : issue.message;
    throw errorAt([...issue.path, ...keys], problem.replace(/\.$/, ''));
  }
  return { workspaces: new Map(Object.entries(parsed.data?.workspaces ?? {})), errorAt };
}
