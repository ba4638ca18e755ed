import type { Clock } from '../../clock.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { age } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { ComplianceSamples } from './store/compliance-samples.ts';
import { formatShare, sumStatistics } from './views/format-compliance.ts';

/**
 * For the overview: compliance at the last reading. Leaves out counts that were carried over
 * from an earlier reading, which would look current.
 */
export async function describeCompliance(
  call: Pick<Interaction, 'service'>,
  { samples, clock }: { samples: Pick<ComplianceSamples, 'readLast'>; clock: Clock },
): Promise<KnownBlock> {
  const { connectionId } = await call.service();
  const last = await samples.readLast(connectionId, clock());
  const share =
    last && formatShare(sumStatistics(last.samples.map(({ statistics }) => statistics)));
  const unread = last?.unreadCount
    ? ` · ${plural(last.unreadCount, 'policy', 'policies')} unavailable`
    : '';
  return section(
    last && share
      ? `:bar_chart: *${share}* · ${age(last.takenAt)}${unread}`
      : ':bar_chart: Compliance: no recent reading',
    commandButton({ text: 'View compliance', line: 'compliance' }),
  );
}
