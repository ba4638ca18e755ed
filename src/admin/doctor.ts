import { createAppendEntry } from '../audit-log/append.ts';
import { systemClock } from '../clock.ts';
import { type DoctorConfig, readDoctorConfig } from '../config.ts';
import type { Database } from '../database/open-database.ts';
import { serveAll } from '../database/served-teams.ts';
import { createDiscoveryCache } from '../dataprotection/dialects/discovery-cache.ts';
import { createDispatcher } from '../dataprotection/http/dispatcher.ts';
import { createLimiters } from '../dataprotection/http/limiter.ts';
import { createOpenTeams, openAccess } from '../features/access/index.ts';
import { examine, type Finding, summarizeFindings } from '../features/doctor/index.ts';
import { createInstallationStore } from '../features/installations/index.ts';
import {
  createTokenCipher,
  createWorkspaceStore,
  listConnectedTeams,
} from '../features/workspaces/index.ts';
import { createLogger } from '../logger.ts';
import { enqueueMessages } from '../outbox/index.ts';
import {
  clientOptions,
  createSlackClient,
  createSlackLogger,
  type SlackClient,
} from '../slack/api/slack-client.ts';
import { readTokenTeam } from '../slack/server/slack-app.ts';
import { escapeMrkdwn, stripMarkup } from '../slack/ui/mrkdwn.ts';
import { type CommandCall, type ExitCode, UsageError } from './command.ts';

const slackTimeoutMs = 4000;

/** Prints the findings of `/belay doctor`, as far as they can be made without receiving from Slack. */
export async function doctor({ values, config, env, stdout, db }: CommandCall): Promise<ExitCode> {
  const { slack: settings, regions } = readDoctorConfig(env);
  const { encryptionKeys, databaseUrl } = config;
  const teamId = values.team ?? (await onlyTeam(db));
  const log = createLogger('silent');
  const { slack, skipped } = await openSlack(settings, { teamId, db, encryptionKeys });
  const dispatcher = createDispatcher();
  const store = openStore(db, encryptionKeys);
  const access = openAccess({
    ...{ db, readSettings: store.readSettings, clock: systemClock, log },
    openTeams: createOpenTeams(systemClock),
  });
  try {
    const findings = await examine(
      { teamId, slack },
      {
        ...{ db, regions, encryptionKeys, log, clock: systemClock, isServed: serveAll },
        // An operator understands the error itself, which holds neither the token nor a body.
        describeCause: (error) => escapeMrkdwn(error instanceof Error ? error.message : 'unknown'),
        isEmbedded: databaseUrl.startsWith('pglite:'),
        ...{ store, access },
        transport: {
          dispatcher,
          limiters: createLimiters(),
          discoveryCache: createDiscoveryCache(),
        },
      },
    );
    const lines = [...findings.map(formatFinding), ...skipped, `${summarizeFindings(findings)}.`];
    stdout.write(`${lines.join('\n')}\n`);
    return findings.some(({ severity }) => severity === 'problem') ? 1 : 0;
  } finally {
    await dispatcher.close();
  }
}

/** The client, or the reason why Slack isn't checked: another workspace's token must not be used. */
async function openSlack(
  { botToken, apiUrl }: DoctorConfig['slack'],
  { teamId, db, encryptionKeys }: { teamId: string; db: Database; encryptionKeys: Buffer[] },
): Promise<{ slack: SlackClient | undefined; skipped: string[] }> {
  const log = createLogger('silent');
  const cipher = createTokenCipher(encryptionKeys);
  const append = createAppendEntry(encryptionKeys);
  const installations = createInstallationStore(db, { cipher, enqueueMessages, append });
  const token = botToken ?? (await installations.readToken({ teamId }))?.token;
  if (token === undefined) {
    const skipped = [
      'Slack was not checked: there is no bot token. Set SLACK_BOT_TOKEN, or install Belay with OAuth.',
    ];
    return { slack: undefined, skipped };
  }
  // If Slack refuses the token or can't be reached, the checks find out why.
  const ownTeamId =
    botToken === undefined
      ? teamId
      : await readTokenTeam({ botToken, apiUrl }, log).catch(() => teamId);
  if (ownTeamId !== teamId) {
    const skipped = [`Slack was not checked: SLACK_BOT_TOKEN belongs to workspace ${ownTeamId}.`];
    return { slack: undefined, skipped };
  }
  const options = clientOptions({ logger: createSlackLogger(log), apiUrl }, slackTimeoutMs);
  return { slack: createSlackClient({ token, teamId }, options), skipped: [] };
}

/** For reading only. */
function openStore(db: Database, encryptionKeys: Buffer[]) {
  const refuse = async () => {
    throw new Error('doctor changes nothing');
  };
  return createWorkspaceStore(db, createTokenCipher(encryptionKeys), {
    append: createAppendEntry(encryptionKeys),
    isServed: serveAll,
    onConnectionReplaced: refuse,
    onConnectionsChanged: refuse,
    onConnectionRemoved: refuse,
    onSetupSaved: refuse,
    onApproversChanged: refuse,
  });
}

async function onlyTeam(db: Database): Promise<string> {
  const [team, ...others] = await listConnectedTeams(db);
  if (team && others.length === 0) return team;
  if (team) throw new UsageError('Add --team: there are several workspaces.');
  throw new UsageError('No workspace is connected. Run /belay setup in Slack, or add --team.');
}

function formatFinding({ severity, area, text, remedy }: Finding): string {
  const line = `${severity.toUpperCase().padEnd(8)} ${area}: ${toPlainText(text)}`;
  return remedy ? `${line}\n         ${toPlainText(remedy)}` : line;
}

/** Dates as their fallback text, people and channels as their ids. */
function toPlainText(mrkdwn: string): string {
  return stripMarkup(
    mrkdwn.replaceAll(/<!date\^[^|>]*\|([^>]*)>/g, '$1').replaceAll(/<[@#]([A-Z0-9]+)>/g, '$1'),
  );
}
