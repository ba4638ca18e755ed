import { expect, it } from 'vitest';
import { commands } from '../../../bench/chaos/installations/isolation/commands.ts';
import { nouns, userVerbs } from '../../../src/features/help/grammar.ts';

it('types every subcommand', () => {
  const all = [...Object.keys(nouns), ...Object.keys(userVerbs), 'policy', 'bulk'];
  expect(Object.keys(commands).toSorted()).toEqual(all.toSorted());
});

it('types each with its own name', () => {
  const names = { word: 'w', user: 'u', otherUser: 'o', policy: 'p', colleague: 'c' };
  for (const [subcommand, list] of Object.entries(commands)) {
    const typed = list(names).map((text) => text.split(' ')[0]);
    // Without a subcommand, Belay shows an overview and the help.
    expect(new Set(typed)).toEqual(new Set(subcommand === 'help' ? ['', 'help'] : [subcommand]));
  }
});
