/** Texts that a service, or people who name its objects, may contain. */
export const hostileTexts: Record<string, string> = {
  long: 'x'.repeat(3000),
  'long and escaped': '<&>'.repeat(1000),
  emoji: '👩🏽‍🚒:fire:'.repeat(300),
  'right to left': '\u202eمرحبا\u200f '.repeat(200),
  ping: '<!channel> <@U0BEN> <https://phish.example|Approve>',
  marks: '*a* `b` ~c~ _d_ ```',
  lines: `first\n${'line\n'.repeat(500)}`,
  blank: ' \n\t ',
};
