/** Slack's published limits, in characters or items. https://docs.slack.dev/reference/block-kit */
export const limits = {
  sectionText: 3000,
  fieldText: 2000,
  fieldsPerSection: 10,
  headerText: 150,
  buttonText: 75,
  optionText: 75,
  optionValue: 75,
  optionsPerMenu: 100,
  modalTitle: 24,
  blocksPerMessage: 50,
  blocksPerView: 100,
  confirmText: 300,
  privateMetadata: 3000,
  actionValue: 2000,
  messageText: 4000,
  /**
   * Of all blocks of a message that is posted or edited. Not documented: apps get `msg_blocks_too_long` for
   * 11,000 to 13,000 characters, depending on the blocks. Leaves room for what surrounds a long text.
   */
  textOfBlocks: 9000,
  rowsPerTable: 100,
  /** Over all tables of a message. */
  tableCharacters: 10_000,
  /** Belay's own, so that one long name does not use up a table. */
  tableCellText: 150,
} as const;

/** Cuts to `max` UTF-16 units, the way Slack counts, with an ellipsis and no split character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${kept.replace(/[\uD800-\uDBFF]$/, '')}…`;
}
