import { emojiNamed } from './emoji.ts';

const circles = new Map([
  ['large_red_circle', 'red'],
  ['red_circle', 'red'],
  ['large_orange_circle', 'orange'],
  ['large_yellow_circle', 'yellow'],
  ['large_green_circle', 'green'],
  ['large_blue_circle', 'blue'],
  ['blue_circle', 'blue'],
  ['white_circle', 'white'],
]);

/** Emoji that the page draws itself, in a 16 by 16 view box. */
const drawings = new Map([
  ['white_check_mark', { label: 'check mark', color: 'green', path: 'M4 8.5l3 3 5-6.5' }],
  ['double_vertical_bar', { label: 'pause', color: 'blue', path: 'M6 4.5v7M10 4.5v7' }],
  ['hourglass', { label: 'hourglass', color: 'blue', path: 'M5 4h6L5 12h6z' }],
  ['clock3', { label: 'clock', color: 'blue', path: 'M8 4v4h3.5' }],
  [
    'arrows_counterclockwise',
    { label: 'running', color: 'blue', path: 'M12 8a4 4 0 1 1-1.5-3M11 3v2.5H8.5' },
  ],
  [
    'rotating_light',
    {
      label: 'emergency',
      color: 'red',
      path: 'M5 12V8a3 3 0 0 1 6 0v4M4 12h8M8 2.5v1M3 5l.8.8M13 5l-.8.8',
    },
  ],
  ['x', { label: 'cross', color: 'red', path: 'M5 5l6 6M11 5l-6 6' }],
  ['no_entry', { label: 'no entry', color: 'red', path: 'M4 8h8' }],
  ['question', { label: 'question mark', color: 'orange', path: 'M6 6a2 2 0 1 1 2 2.5M8 11.5v.1' }],
  ['warning', { label: 'warning', color: 'orange', path: 'M8 4v5M8 11.5v.1' }],
  ['small_red_triangle', { label: 'up', color: 'red', path: 'M4.5 10.5L8 5l3.5 5.5z' }],
  ['small_red_triangle_down', { label: 'down', color: 'red', path: 'M4.5 5.5L8 11l3.5-5.5z' }],
  ['lock', { label: 'lock', color: 'orange', path: 'M5 8h6v4H5zM6 8V6a2 2 0 0 1 4 0v2' }],
  ['bar_chart', { label: 'chart', color: 'blue', path: 'M5 12V8M8 12V4M11 12V6' }],
  [
    'gear',
    { label: 'gear', color: 'blue', path: 'M8 5.5a2.5 2.5 0 1 1-.1 0M8 3v1M8 12v1M3 8h1M12 8h1' },
  ],
]);

/** The characters that Belay writes where Slack has no markup, such as in titles. */
const names: Record<string, string> = {
  '⏳': 'hourglass',
  '⌛': 'hourglass',
  '🕒': 'clock3',
  '🔄': 'arrows_counterclockwise',
  '✅': 'white_check_mark',
  '❌': 'x',
  '⛔': 'no_entry',
  '🛑': 'no_entry',
  '🚫': 'no_entry',
  '❓': 'question',
  '🔴': 'red_circle',
  '⚪': 'white_circle',
  '🟡': 'large_yellow_circle',
  '🔺': 'small_red_triangle',
  '🔻': 'small_red_triangle_down',
  '🔒': 'lock',
  '🚨': 'rotating_light',
  '⏰': 'clock3',
};
const characters = new RegExp(Object.keys(names).join('|'), 'u');

/** Text with its emoji characters drawn. */
export function DrawnText({ text }: { text: string }) {
  const found = characters.exec(text);
  if (!found) return text;
  const [character] = found;
  return (
    <>
      {text.slice(0, found.index)}
      <EmojiMark name={names[character] ?? ''} source={character} />
      <DrawnText text={text.slice(found.index + character.length)} />
    </>
  );
}

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
