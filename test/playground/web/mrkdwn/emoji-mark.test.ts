import { createElement } from 'react';
import { expect, test } from 'vitest';
import { DrawnText } from '../../../../playground/web/mrkdwn/emoji-mark.tsx';
import { everyView } from '../../../features/every-view.ts';
import { realisticSamples } from '../../../features/realistic-samples.ts';
import { htmlForAna } from '../workspace-of-ana.ts';

test('every emoji that Belay writes as a character is drawn, because fonts may lack it', () => {
  const written = JSON.stringify(everyView(realisticSamples())).match(/\p{Emoji_Presentation}/gu);
  const emoji = [...new Set(written)];
  expect(emoji.length).toBeGreaterThan(8);
  const bare = emoji.filter(
    (text) => !htmlForAna(createElement(DrawnText, { text })).includes('role="img"'),
  );
  expect(bare).toEqual([]);
});
