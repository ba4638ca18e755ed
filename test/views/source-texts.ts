import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { folderOf } from './list-views.ts';

const src = new URL('../../src/', import.meta.url);

export type SourceText = { folder: string; file: string; text: string };

/** Operators and aliases of Kysely. */
const sqlWords = /^(is not|not in|read only|for update|skip locked|\w+ as \w+)$/;

/**
 * Every text of two words or more in the sources, `{…}` in place of what is inserted: errors,
 * refusals, start-up and command-line texts are no views, and nobody can list them by running them.
 */
export function listSourceTexts(): SourceText[] {
  const files = globSync('**/*.ts', { cwd: src, exclude: ['database/migrations/**'] }).sort();
  return files.flatMap((file) => {
    const code = readFileSync(new URL(file, src), 'utf8');
    const texts = textsIn(parseAst(code, { lang: 'ts' }));
    return texts
      .filter((text) => /\p{L}{2,}\P{L}*\s\P{L}*\p{L}{2,}/u.test(text) && !sqlWords.test(text))
      .map((text) => ({ folder: folderOf(file), file: `src/${file}`, text }));
  });
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (typeof node !== 'object' || node === null || !('type' in node)) return [];
  // SQL, and paths of imports.
  if (['TaggedTemplateExpression', 'ImportDeclaration'].includes(String(node.type))) return [];
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') {
    return [node.value];
  }
  const own = node.type === 'TemplateLiteral' && 'quasis' in node ? [joined(node.quasis)] : [];
  return [...own, ...Object.values(node).flatMap(textsIn)];
}

function joined(quasis: unknown): string {
  return [quasis].flat().map(cookedOf).join('{…}');
}

function cookedOf(quasi: unknown): string {
  if (typeof quasi !== 'object' || quasi === null || !('value' in quasi)) return '';
  const { value } = quasi;
  return typeof value === 'object' && value !== null && 'cooked' in value
    ? String(value.cooked)
    : '';
}
