import { expect, it } from 'vitest';
import { type FoundStatement, findStatements, readSources } from './find-statements.ts';

/** Each is allowed in the statements that match, in one file or all files below a folder. */
type Exceptions = [path: string, text: RegExp, reason: string][];

const withoutTeam: Exceptions = [
  ['src/audit-log/checkpoint-file.ts', /audit_log_head/, 'writes the ends of all logs to one file'],
  ['src/audit-log/read-chain.ts', /./, 'lists the logs to verify, and counts entries for metrics'],
  ['src/audit-log/rotate-key.ts', /./, 'a key that leaked is replaced in all logs'],
  ['src/audit-log/signing-key.ts', /./, 'all logs are signed with one key'],
  ['src/database/sealed-column.ts', /./, 'an old key is not needed once all is encrypted anew'],
  ['src/requests/store/approval-store.ts', /any \(array\(/, 'by the ids of a subquery'],
  ['src/requests/store/read-request-backlog.ts', /groupBy\('state'\)/, 'a metric'],
  [
    'src/features/compliance/store/',
    /equivalentConnections\(connectionId\)/,
    'by the connection of an opened service, and those before it in its workspace',
  ],
  [
    'src/features/installations/store/',
    /'(?:installation|organization_workspace)'|isServing|servesTeam/,
    "checks and refreshes all installations; no id in these statements comes from a person's payload",
  ],
  [
    'src/features/watches/store/poll-store.ts',
    /releasedUntil\(nextPollAt\)\) \.where\(isHeldBy/,
    "by the random id of the lease's holder, who doesn't know which poll it has leased",
  ],
  ['src/admin/doctor.ts', /'installation'/, 'whether there is any, for the operator'],
  [
    'src/workspace/store/connected-teams.ts',
    /distinct\(\)/,
    'names the other workspaces at the start, and to the operator',
  ],
];

const unlimited: Exceptions = [
  ['src/audit-log/', /audit_log/, 'one short row for each workspace, key or log'],
  [
    'src/features/compliance/store/',
    /equivalentConnections\(connectionId\)/,
    'of one connection, and those before it in its workspace',
  ],
  ['src/requests/store/read-request-backlog.ts', /groupBy\('state'\)/, 'counts'],
  [
    'src/features/installations/store/organization-store.ts',
    /whereRef\('team_id', '=', 'enterprise_id'\)/,
    'organizations are few, and `DueWork` limits the work',
  ],
  [
    'src/features/installations/store/read-installation-status.ts',
    /groupBy\('state'\)|'reinstall_needed'/,
    'counts, and names for the operator',
  ],
  [
    'src/workspace/store/connected-teams.ts',
    /distinct\(\)/,
    'ids, at the start and for the operator',
  ],
  [
    'src/workspace/store/connected-teams.ts',
    /'settings\.settings'/,
    'in one transaction, so that each channel is notified once of missing checkpoints',
  ],
];

const loops: Exceptions = [
  ['src/audit-log/rotate-key.ts', /./, 'once, by the operator'],
  ['src/audit-log/', /teamIds|heads/, 'reads all logs to verify them'],
  ['src/audit-log/checkpoint-file.ts', /written\.set/, 'in memory'],
  ['src/features/keys/rotate-keys.ts', /maxLoggedValues/, 'logs a few lines'],
  ['src/admin/', /./, 'once, by the operator'],
  ['src/features/configuration/', /./, 'a configuration file is applied completely or not at all'],
  ['src/postings/home/store/home-store.ts', /teams/, '200 at most, each with two statements'],
  [
    'src/workspace/store/configured-workspace.ts',
    /toSorted/,
    'locks the workspaces of a configuration file',
  ],
  ['src/workspace/store/token-expiry.ts', /rows/, 'a page of tokens without calls'],
  ['src/open-workspaces.ts', /listConnectedTeams/, 'logs, once'],
];

const sources = readSources();
const statements = sources.flatMap(findStatements);

/** The team is a value, or that of the outer query. */
const ofOneTeam =
  /where\(\s*'(?:\w+\.)?team_id', '(?:=|in)'|whereRef\(\s*'(?:\w+\.)?team_id', '=', '\w+\.team_id'|\brefColumns\(|\bkeyOf\(|\bteam_id: |team_id\s*=\s|\(team_id, /;
const ofServedTeams = /\bisServed\(/;

function isAllowed({ file, text }: { file: string; text: string }, exceptions: Exceptions) {
  return exceptions.some(([path, pattern]) => file.startsWith(path) && pattern.test(text));
}

function describe({ file, line, text }: FoundStatement): string {
  return `${file}:${line} ${text.slice(0, 200)}`;
}

const lacksTeam = ({ text }: FoundStatement) => !ofOneTeam.test(text) && !ofServedTeams.test(text);

/** Reads any number of rows of any number of workspaces. */
const lacksLimit = ({ text }: FoundStatement) =>
  !ofOneTeam.test(text) &&
  /\.execute\(\)$|^sql[^`]*`\s*(?:with|select|update|delete) /.test(text) &&
  (/returning/.test(text) || !/^(?:updateTable|deleteFrom)|^sql[^`]*`\s*(?:in|up|de)/.test(text)) &&
  !/\.limit\(|\blimit /.test(text);

it('finds the statements about tables with a team', () => {
  expect(statements.length).toBeGreaterThan(250);
  const found = findStatements({
    file: 'src/x.ts',
    text: `
      await db.selectFrom('watch').select('id').where('id', '=', id)
        // A comment with a ( bracket.
        .where(({ exists, selectFrom }) => exists(
          selectFrom('digest').select('id').where('team_id', '=', teamId)))
        .execute();
      await sql<{ id: string }>\`select \${sql\`id\`} from approval where id = \${id}\`.execute(db);
      await db.selectFrom('replica').selectAll().execute();
      const rows = await db.selectFrom('digest').selectAll().where(isServed('digest.team_id')).execute();
      await db.selectFrom('digest').selectAll().where(isServed('digest.team_id')).limit(5).execute();`,
  });
  const numbered = (some: FoundStatement[]) => some.map(({ line }) => line);
  expect(numbered(found)).toEqual([2, 5, 9, 10, 7]);
  expect(numbered(found.filter(lacksTeam))).toEqual([2, 7]);
  expect(numbered(found.filter(lacksLimit))).toEqual([2, 9, 7]);
});

it('every statement has a condition on the team, or a reason to have none', () => {
  const wrong = statements.filter((one) => lacksTeam(one) && !isAllowed(one, withoutTeam));
  expect(wrong.map(describe)).toEqual([]);
});

it('what is read of several workspaces at once has a limit, or a reason to have none', () => {
  const wrong = statements.filter((one) => lacksLimit(one) && !isAllowed(one, unlimited));
  expect(wrong.map(describe)).toEqual([]);
});

const loop = /\bfor \(const (?:team(?:Id)?|\{[^}]*\bteam_?[iI]d\b[^}]*\}) of ([^\n]*)\) ?\{?/g;

it('no loop works for one workspace after the other: due work is done for several at once', () => {
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(loop)].map(({ index, 0: head }) => {
      return { file, line: text.slice(0, index).split('\n').length, text: head };
    }),
  );
  expect(found.length).toBeGreaterThan(3);
  expect(found.filter((one) => !isAllowed(one, loops)).map(describe)).toEqual([]);
  expect('for (const { teamId } of teams) {').toMatch(new RegExp(loop.source));
});

it('the exceptions are still needed', () => {
  const unused = (exceptions: Exceptions, found: FoundStatement[]) =>
    exceptions.filter((one) => !found.some((statement) => isAllowed(statement, [one])));
  expect(unused(withoutTeam, statements.filter(lacksTeam))).toEqual([]);
  expect(unused(unlimited, statements.filter(lacksLimit))).toEqual([]);
});
