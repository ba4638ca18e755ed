import { expect, it } from 'vitest';
import { commands } from '../../../bench/chaos/installations/isolation/commands.ts';
import { readManifest } from '../../../playground/read-manifest.ts';

it('types every subcommand of the manifest', () => {
  const [belay] = readManifest().features.slash_commands;
  expect(Object.keys(commands).toSorted()).toEqual(belay?.usage_hint?.split(' | ').toSorted());
});

it('types each with its own name', () => {
  const names = { word: 'w', user: 'u', otherUser: 'o', policy: 'p', colleague: 'c' };
  for (const [subcommand, list] of Object.entries(commands)) {
    const typed = list(names).map((text) => text.split(' ')[0]);
    // Without a subcommand, Belay shows an overview and the help.
    expect(new Set(typed)).toEqual(new Set(subcommand === 'help' ? ['', 'help'] : [subcommand]));
  }
});
