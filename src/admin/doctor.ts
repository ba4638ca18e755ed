import { systemClock } from '../clock.ts';
import { readDoctorConfig } from '../config.ts';
import { type ServedTeams, serveAll, serveOnly } from '../database/served-teams.ts';
import type { Database } from '../database/tables.ts';
import { createTransport } from '../dataprotection/client.ts';
import { examine, type Finding, summarizeFindings } from '../features/doctor/index.ts';
import { serveInstalled } from '../features/installations/index.ts';
import { createLogger } from '../logger.ts';
import { escapeMrkdwn, stripMarkup } from '../slack/ui/mrkdwn.ts';
import { listConnectedTeams } from '../workspace/store/connected-teams.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { openSlack } from './open-slack.ts';
import { openStore } from './open-store.ts';

/** Prints the findings of `/belay doctor`, as far as they can be made without receiving from Slack. */
export async function doctor(call: CommandCall): Promise<ExitCode> {
  const { values, config, env, stdout, db, isEmbedded } = call;
  const { slack: settings, regions } = readDoctorConfig(env);
  const { encryptionKeys } = config;
  const teamId = values.team ?? (await onlyTeam(db));
  const log = createLogger('silent');
  const { slack, skipped, tokenTeamId } = await openSlack(settings, { teamId, db, encryptionKeys });
  const transport = createTransport();
  const { store, access } = openStore(db, encryptionKeys);
  try {
    const findings = await examine(
      { teamId, slack },
      {
        db,
        regions,
        encryptionKeys,
        log,
        clock: systemClock,
        isServed: await findServed(db, tokenTeamId),
        // The error itself is safe to print: it has neither the token nor a body.
        describeCause: (error) => escapeMrkdwn(error instanceof Error ? error.message : 'unknown'),
        isEmbedded,
        store,
        access,
        transport,
      },
    );
    const lines = [...findings.map(formatFinding), ...skipped, `${summarizeFindings(findings)}.`];
    stdout.write(`${lines.join('\n')}\n`);
    return findings.some(({ severity }) => severity === 'problem') ? 1 : 0;
  } finally {
    await transport.dispatcher.close();
  }
}

/** The workspaces that Belay works for; what is left of others is overdue for good reason. */
async function findServed(db: Database, tokenTeamId: string | undefined): Promise<ServedTeams> {
  if (tokenTeamId !== undefined) return serveOnly(tokenTeamId);
  const installed = await db.selectFrom('installation').select('id').limit(1).executeTakeFirst();
  return installed ? serveInstalled : serveAll;
}

async function onlyTeam(db: Database): Promise<string> {
  const [team, ...others] = await listConnectedTeams(db);
  if (team && others.length === 0) return team;
  if (team) throw new Error('Add --team: there are several workspaces.');
  throw new Error('No workspace is connected. Run /belay setup in Slack, or add --team.');
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
