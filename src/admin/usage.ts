/** What was typed is not understood; `message` says what. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `Usage: npm run -s admin -- audit <what>

  audit verify    says whether the decision log is as it was written, and names the first break
    --checkpoints FILE        file of checkpoints, in place of BELAY_CHECKPOINT_FILE; may be repeated
    --no-checkpoints          without a file: an end that was cut off is then not found
    --checkpoint SEQ:HASH     a checkpoint as posted in Slack; may be repeated
    --team TEAM               whose checkpoint that is

  audit export    writes the log to standard output
    --format jsonl|csv        jsonl unless said otherwise
    --team TEAM               only this workspace

  audit erase     erases the personal text of entries; the entries stay, and the log says so
    --team TEAM --entry N[,N]

Exit code: 0 when all is well, 1 when the log is broken, 2 when it could not be looked at.
`;
