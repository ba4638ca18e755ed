import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultSearch, formatCommand } from '../../../src/features/alerts/index.ts';
import { nouns, shortcuts, userVerbs, verbs } from '../../../src/features/help/grammar.ts';
import { readCommand } from '../../../src/features/help/read-command.ts';

const subcommands = [...Object.keys(nouns), ...Object.keys(userVerbs), 'policy', 'bulk'];

type Kind = { kind: string; lines: { typed: string; meant: string }[] };

const text = readFileSync(new URL('typed-lines.txt', import.meta.url), 'utf8');
const kinds = text
  .split('\n## ')
  .slice(1)
  .map((part): Kind => {
    const [kind = '', ...lines] = part.trim().split('\n');
    return {
      kind,
      lines: lines.map((line) => {
        const [typed = '', meant = ''] = line.split(' => ');
        return { typed: typed === '(nothing)' ? '' : typed, meant };
      }),
    };
  });

test.each(kinds)('$kind: every line means what it says', ({ lines }) => {
  for (const { typed, meant } of lines) {
    const reading = readCommand(typed);
    const choices = reading && ('line' in reading ? [reading.line] : reading.choices);
    const read = choices ? choices.join(' | ') || '(overview)' : '?';
    expect.soft(read, typed).toBe(meant);
    // A line is run as it is: its first word is a subcommand.
    for (const line of choices ?? []) {
      const [name = ''] = line.split(' ');
      expect.soft(['', ...subcommands].includes(name) || name.startsWith('on:'), line).toBe(true);
    }
  }
});

test('there are at least 300 lines, each once', () => {
  const typed = kinds.flatMap(({ lines }) => lines.map((line) => line.typed));
  expect(typed.length).toBeGreaterThanOrEqual(300);
  expect(new Set(typed).size).toBe(typed.length);
});

test.each(['schedule', 'off', 'new', 'please', 'why?', 'a b'])(
  'the command below a list of alerts with "%s" repeats it',
  (word) => {
    const command = formatCommand({ ...defaultSearch, severities: ['error'], words: [word] });
    const alone = formatCommand({ ...defaultSearch, words: [word] });
    for (const shown of [command, alone]) {
      const line = shown?.slice('`/belay '.length, -1) ?? '';
      expect(readCommand(line)).toEqual({ line });
    }
  },
);

test('docs/commands.md lists the words of the grammar', () => {
  const page = readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8');
  const listed = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');
  const row = (shown: string, [own, ...others]: readonly string[]) =>
    `| \`${shown}${own}\` | ${listed(others)} |`;
  const byLine = Map.groupBy(Object.entries(shortcuts), ([, line]) => line);
  const rows = [
    ...Object.values({ ...nouns, ...userVerbs }).map((words) => row('/belay ', words)),
    ...Object.values(verbs).map((words) => row('', words)),
    ...[...byLine].map(
      ([line, words]) =>
        `| ${listed(words.map(([word]) => word))} | \`${`/belay ${line}`.trim()}\` |`,
    ),
  ];
  const heads = ['| Command | Other words |', '| Word | Other words |', '| Word | Command |'];
  const [, words = ''] = page.split('## What it is about');
  const written = words.split('\n').filter((line) => /^\| /.test(line) && !heads.includes(line));
  expect(written).toEqual(rows);
});
