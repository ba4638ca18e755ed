import { mailboxOf } from '../../../mailbox.ts';
import { readInstallation } from '../../../slack/api/installation.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { code, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { InstallationSummary } from '../../installations/index.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';

const area = 'Slack';

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
}): Promise<Finding[]> {
  const installation = await readInstallation(slack);
  if (installation.outcome === 'refused') {
    return [
      problem(
        area,
        `Slack refuses the bot token (${code(installation.code)}).`,
        installed
          ? 'Install Belay again on its page `/slack/install`.'
          : 'Install the app again and set `SLACK_BOT_TOKEN` to its new bot token.',
      ),
    ];
  }
  const { missingScopes, missingEventScopes = [], missingGroupScopes = [] } = installation;
  return [
    ok(area, 'Slack accepts the bot token.'),
    ...(installed ? [ok(area, formatInstallation(installed))] : []),
    ...(missingScopes && missingScopes.length > 0
      ? [
          problem(
            area,
            `The bot token lacks scopes: ${missingScopes.map((scope) => code(scope)).join(', ')}.`,
            installAgain(installed),
          ),
        ]
      : []),
    ...(missingEventScopes.length > 0
      ? [
          warning(
            area,
            `Belay can't answer direct messages and mentions: the bot token lacks ${missingEventScopes.map((scope) => code(scope)).join(', ')}.`,
            installAgain(installed),
          ),
        ]
      : []),
    ...(missingGroupScopes.length > 0
      ? [
          warning(
            area,
            `Belay can't give roles to user groups: the bot token lacks ${missingGroupScopes.map((scope) => code(scope)).join(', ')}.`,
            installAgain(installed),
          ),
        ]
      : []),
    ...(isReceiving && !isReceiving()
      ? [
          problem(
            area,
            "The process that answered isn't receiving requests from Slack.",
            'Restart that process if this lasts for more than a minute.',
          ),
        ]
      : []),
  ];
}

function installAgain(installed: InstallationSummary | undefined): string {
  return installed
    ? 'Update the app from `manifest.yml`, then install Belay again on its page `/slack/install`.'
    : 'Install the app again from `manifest.yml`.';
}

/** The person who installed Belay in the organization may be from another of its workspaces. */
function formatInstallation(installed: InstallationSummary): string {
  const { isForOrganization, installedBy, installedAt } = installed;
  if (isForOrganization) return `Installed in the whole organization · ${moment(installedAt)}`;
  return `Installed by ${mention(installedBy)} · ${moment(installedAt)}`;
}

/**
 * Whether Slack shows Belay the email addresses of these people: they decide who counts as the same
 * person. And whether each can still approve.
 */
export async function checkPeople({
  slack,
  slackUserIds,
}: {
  slack: SlackClient;
  slackUserIds: string[];
}): Promise<Finding[]> {
  const people = await Promise.all(slackUserIds.map((id) => readPerson(slack, id)));
  const hidden = people.filter(({ email }) => mailboxOf(email) === undefined);
  const gone = people.filter(({ membership }) => membership !== 'member');
  const names = (some: typeof people) =>
    some.map(({ slackUserId }) => mention(slackUserId)).join(', ');
  if (people.length > 0 && hidden.length === people.length) {
    return [
      problem(
        area,
        "Slack doesn't show Belay any email addresses, so Belay can't tell whether two accounts belong to one person.",
        'Install the app again with the scope `users:read.email`, and let Slack show addresses to apps.',
      ),
    ];
  }
  return [
    ...(hidden.length > 0
      ? [
          warning(
            area,
            `Slack doesn't show Belay the email address of ${names(hidden)}.`,
            'Add an address to each profile. Belay refuses decisions of people without an address.',
          ),
        ]
      : []),
    ...(gone.length > 0
      ? [
          warning(
            area,
            `These approvers are no longer full members: ${names(gone)}.`,
            'Replace them with `/belay setup`.',
          ),
        ]
      : []),
  ];
}
