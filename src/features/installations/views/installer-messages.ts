import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { link } from '../../../slack/ui/mrkdwn.ts';

/** To the person who installed Belay in a workspace, directly. */
export function welcomeMessage(): Message {
  return notice(
    [
      '*:white_check_mark: Belay is installed.*',
      "Belay shows the alerts, backup policies and users of your data-protection service. Changes to users and policies need a second person's approval.",
      'Next: a workspace admin runs `/belay setup` to connect the service.',
    ].join('\n'),
  );
}

/** To the person who installed Belay, directly. `reference` finds the log line. */
export function installAgainMessage(installUrl: string, reference: string): Message {
  return notice(
    [
      ':warning: *Belay needs to be installed again.* Slack no longer accepts the token of this workspace.',
      `Alerts, digests and requests are paused. Nothing was deleted. To resume them, ${link(installUrl, 'install Belay again')}.`,
      `Reference ${reference}`,
    ].join('\n'),
  );
}
