import type { Clock } from '../../clock.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { age } from '../../slack/ui/mrkdwn.ts';
import type { ComplianceHistory } from './store/compliance-history.ts';
import { formatShare } from './views/format-compliance.ts';

/** For the overview: compliance over all policies at the last reading. */
export async function describeCompliance(
  call: Pick<Interaction, 'service'>,
  { history, clock }: { history: Pick<ComplianceHistory, 'readTotals'>; clock: Clock },
): Promise<KnownBlock> {
  const { connectionId } = await call.service();
  const last = (await history.readTotals(connectionId, clock())).at(-1);
  const share = last && formatShare({ ...last.counts, otherFields: {} });
  return section(
    share
      ? `:bar_chart: *${share}* · ${age(last.takenAt)}`
      : ':bar_chart: Compliance: no reading yet',
    commandButton({ text: 'View compliance', line: 'compliance' }),
  );
}
