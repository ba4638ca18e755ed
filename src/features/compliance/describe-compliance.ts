import type { Clock } from '../../clock.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { age } from '../../slack/ui/mrkdwn.ts';
import { lastReading } from './policy-sample.ts';
import type { ComplianceSamples } from './store/compliance-samples.ts';
import { formatShare, sumStatistics } from './views/format-compliance.ts';

/** For the overview: compliance over all policies at the last reading. */
export async function describeCompliance(
  call: Pick<Interaction, 'service'>,
  { samples, clock }: { samples: Pick<ComplianceSamples, 'readAsOf'>; clock: Clock },
): Promise<KnownBlock> {
  const { connectionId } = await call.service();
  const last = lastReading(await samples.readAsOf(connectionId, clock()));
  const share = formatShare(sumStatistics(last.map(({ statistics }) => statistics)));
  const [first] = last;
  return section(
    first && share
      ? `:bar_chart: *${share}* · ${age(first.takenAt)}`
      : ':bar_chart: Compliance: no recent reading',
    commandButton({ text: 'View compliance', line: 'compliance' }),
  );
}
