import type { HomeView as SlackHomeView } from '@slack/types';
import type { KnownBlock } from './blocks.ts';
import { addBinding } from './codec.ts';
import { limits } from './limits.ts';

/** Slack's type, without blocks of unknown types. */
export type HomeView = SlackHomeView & { blocks: KnownBlock[] };

/** Slack's limit for a view is 250 kB. */
const maxCharacters = 200_000;

/** What a person's Home tab shows. Its buttons come back with the workspace. */
export function homeView(teamId: string, blocks: KnownBlock[]): HomeView {
  let left = maxCharacters;
  const shown = blocks.slice(0, limits.blocksPerView).filter((block) => {
    left -= JSON.stringify(block).length;
    return left > 0;
  });
  return {
    type: 'home',
    private_metadata: addBinding(undefined, { team: teamId }),
    blocks: shown,
  };
}
