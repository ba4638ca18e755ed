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

/** Emoji that the page draws itself, in a 16 by 16 view box. */
const drawings = new Map([
  ['white_check_mark', { label: 'check mark', color: 'green', path: 'M4 8.5l3 3 5-6.5' }],
  ['double_vertical_bar', { label: 'pause', color: 'blue', path: 'M6 4.5v7M10 4.5v7' }],
]);

/** Common emoji are drawn, because characters are invisible where no emoji font is installed. */
export function EmojiMark({ name, source }: { name: string; source: string }) {
  const drawing = drawings.get(name);
  if (drawing) {
    return (
      <svg
        className="drawn-emoji"
        data-color={drawing.color}
        viewBox="0 0 16 16"
        role="img"
        aria-label={drawing.label}
      >
        <rect width="16" height="16" rx="3" />
        <path d={drawing.path} />
      </svg>
    );
  }
  const color = circles.get(name);
  if (!color) return emojiNamed(name) ?? source;
  return <span className="circle" data-color={color} role="img" aria-label={`${color} circle`} />;
}
