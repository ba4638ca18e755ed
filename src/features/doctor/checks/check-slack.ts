import { readInstallation } from '../../../slack/api/installation.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { code, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { InstallationSummary } from '../../installations/index.ts';
import { type Found, ok, problem, warning } from '../finding.ts';

/** The bot token, its scopes and where it is from; and whether Slack's requests arrive, if known. */
export async function checkSlack({
  slack,
  installed,
  isReceiving,
}: {
  slack: SlackClient;
  /** With OAuth; undefined with `SLACK_BOT_TOKEN`. */
  installed: InstallationSummary | undefined;
  isReceiving: (() => boolean) | undefined;
}): Promise<Found[]> {
  const installation = await readInstallation(slack);
  if (installation.outcome === 'refused') {
    return [
      problem(
        `Slack refuses the bot token (${code(installation.code)}).`,
        installed
          ? 'Install Belay again on its page `/slack/install`.'
          : 'Install the app again and set `SLACK_BOT_TOKEN` to its new bot token.',
      ),
    ];
  }
  const { missingScopes, missingEventScopes, missingGroupScopes } = installation;
  const installAgain = installed
    ? 'Update the app from `manifest.yml`, then install Belay again on its page `/slack/install`.'
    : 'Install the app again from `manifest.yml`.';
  const lacking = (
    scopes: readonly string[] | undefined,
    what: string,
    found: typeof problem,
  ): Found[] => {
    if (!scopes || scopes.length === 0) return [];
    return [found(`${what} ${scopes.map((scope) => code(scope)).join(', ')}.`, installAgain)];
  };
  return [
    ok('Slack accepts the bot token.'),
    ...(installed ? [ok(formatInstallation(installed))] : []),
    ...lacking(missingScopes, 'The bot token lacks scopes:', problem),
    ...lacking(
      missingEventScopes,
      "Belay can't answer direct messages and mentions: the bot token lacks",
      warning,
    ),
    ...lacking(
      missingGroupScopes,
      "Belay can't give roles to user groups: the bot token lacks",
      warning,
    ),
    ...(isReceiving && !isReceiving()
      ? [
          problem(
            "The process that answered isn't receiving requests from Slack.",
            'Restart that process if this lasts for more than a minute.',
          ),
        ]
      : []),
  ];
}

/** The person who installed Belay in the organization may be from another of its workspaces. */
function formatInstallation({ isForOrganization, installedBy, installedAt }: InstallationSummary) {
  const how = isForOrganization
    ? 'Installed in the whole organization'
    : `Installed by ${mention(installedBy)}`;
  return `${how} · ${moment(installedAt)}`;
}
