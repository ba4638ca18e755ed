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

/** What the page draws in a square of 16, by its name. */
const drawings = new Map([
  ['white_check_mark', { label: 'check mark', colour: 'green', path: 'M4 8.5l3 3 5-6.5' }],
  ['double_vertical_bar', { label: 'pause', colour: 'blue', path: 'M6 4.5v7M10 4.5v7' }],
]);

/** Some are drawn by the page: where no emoji font is installed, a character shows as nothing. */
export function EmojiMark({ name, source }: { name: string; source: string }) {
  const drawing = drawings.get(name);
  if (drawing) {
    return (
      <svg
        className="drawn-emoji"
        data-colour={drawing.colour}
        viewBox="0 0 16 16"
        role="img"
        aria-label={drawing.label}
      >
        <rect width="16" height="16" rx="3" />
        <path d={drawing.path} />
      </svg>
    );
  }
  const colour = circles.get(name);
  if (!colour) return emojiNamed(name) ?? source;
  return (
    <span className="circle" data-colour={colour} role="img" aria-label={`${colour} circle`} />
  );
}
