import { emojiNamed } from './emoji.ts';

const circles = new Map([
  ['large_red_circle', 'red'],
  ['red_circle', 'red'],
  ['large_orange_circle', 'orange'],
  ['large_yellow_circle', 'yellow'],
  ['large_green_circle', 'green'],
  ['large_blue_circle', 'blue'],
  ['blue_circle', 'blue'],
]);

/** Circles are drawn by the page: where no emoji font is installed, a character shows as nothing. */
export function EmojiMark({ name, source }: { name: string; source: string }) {
  const colour = circles.get(name);
  if (!colour) return emojiNamed(name) ?? source;
  return (
    <span className="circle" data-colour={colour} role="img" aria-label={`${colour} circle`} />
  );
}
