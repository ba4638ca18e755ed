import fc from 'fast-check';
import {
  canonical,
  defaultTokenReference,
} from '../../../src/features/configuration/file/canonical.ts';
import {
  type Workspace,
  workspaceConfiguration,
} from '../../../src/features/configuration/file/configuration.ts';
import { digestParts } from '../../../src/features/digests/index.ts';
import { ruledActions } from '../../../src/workspace/rules.ts';

const people = ['U1ANA', 'U2BEN', 'W3CLEO', 'U4DAN'];
const members = fc.subarray([...people, 'S1OPS', 'S2SEC']);
const owner = fc.constantFrom(...people);
const channel = fc.constantFrom('C1OPS', 'C2DEV', 'G3SEC', 'D4ANA');

/** Text of the service, with what YAML has to quote. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom('yes', '08:15', '- a', '# b', 'a: b', '"', "'", '1e3', '~', '\t', 'é\u2028x'),
  )
  .filter((one) => !one.includes('\0') && one.isWellFormed());

const word = fc.constantFrom('vm-12', 'null', 'Gold', '#1', 'a:b', 'Ünï cödé');

const filter = fc.option(
  fc.record(
    {
      severities: fc.subarray(['error', 'warning', 'notice'], { minLength: 1 }),
      types: fc.subarray(['policy_violated', 'backup_failed'], { minLength: 1 }),
      policy: word,
      words: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

const names = fc.shuffledSubarray(['main', 'europe', 'asia-1', 'b.c', 'Ünï_2'], {
  minLength: 1,
  maxLength: 3,
});

const rule = fc.record({
  requesters: members,
  approvals: fc.array(
    fc.record({
      from: fc.subarray(['S1OPS', 'S2SEC', 'U1ANA'], { minLength: 1 }),
      count: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 2 },
  ),
  hoursToDecide: fc.integer({ min: 1, max: 168 }),
  hoursToRun: fc.integer({ min: 1, max: 168 }),
  remindAfterMinutes: fc.option(fc.integer({ min: 5, max: 1440 }), { nil: undefined }),
  breakGlass: members,
});

const rules: fc.Arbitrary<Workspace['rules']> = fc
  .array(fc.tuple(fc.constantFrom(...ruledActions), rule), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));

/** Any configuration of a workspace, in canonical form. */
export function anyWorkspace(teamId: string): fc.Arbitrary<Workspace> {
  return names.chain((chosen) => {
    const placed = { channel, connection: fc.constantFrom(...chosen), owner };
    const connections = fc
      .tuple(
        ...chosen.map((name) =>
          fc.record(
            {
              name: fc.constant(name),
              region: fc.constantFrom('us', 'eu'),
              organizationalUnit: fc.constantFrom('ou-1', 'ou-2'),
              tokenOwner: fc.constantFrom('ana@example.com', 'ben@example.com'),
            },
            { requiredKeys: ['name', 'region'] },
          ),
        ),
      )
      .chain((all) =>
        fc.nat({ max: all.length - 1 }).map((index) =>
          all.map((one, at) => ({
            ...one,
            token: defaultTokenReference(teamId, one.name),
            ...(at === index && { default: true as const }),
          })),
        ),
      );
    return fc
      .record({
        connections,
        settings: fc.record(
          {
            approvalsChannel: channel,
            approvers: members,
            deleteGraceMinutes: fc.integer({ min: 0, max: 1440 }),
            usersPerHour: fc.integer({ min: 1, max: 1000 }),
            weakeningApprovals: fc.integer({ min: 1, max: 3 }),
          },
          {
            requiredKeys: ['approvers', 'deleteGraceMinutes', 'usersPerHour', 'weakeningApprovals'],
          },
        ),
        roles: fc.record({
          viewers: members,
          operators: members,
          auditors: members,
          admins: members,
        }),
        rules,
        protectedUsers: fc.record({
          addresses: fc.subarray(['ceo@example.com', 'root@example.com']),
          domains: fc.subarray(['example.org', 'example.net']),
          roles: fc.subarray(['admin', 'Owner']),
        }),
        channels: items({ ...placed }),
        alertWatches: items({
          ...placed,
          filter,
          quietHours: fc.option(
            fc.constant({ from: '22:00', to: '07:00', timeZone: 'Europe/Lisbon' }),
            { nil: undefined },
          ),
          reminder: fc.option(
            fc.record(
              {
                afterMinutes: fc.constantFrom(15 as const, 240 as const),
                group: fc.constant('S1OPS'),
              },
              { requiredKeys: ['afterMinutes'] },
            ),
            { nil: undefined },
          ),
        }),
        mutes: items({
          ...placed,
          filter: fc.constantFrom({ severities: ['warning'] }, { severities: ['error', 'notice'] }),
          reason: fc.constantFrom('Known and accepted', 'Bis “Q1” & länger: #12'),
        }),
        savedFilters: items({
          channel,
          owner,
          name: fc.constantFrom('morning', 'gold-errors', 'übersicht'),
          filter: fc.option(
            fc.record(
              {
                severities: fc.constant(['error']),
                words: fc.constant(['vm-12']),
                status: fc.constantFrom('all' as const, 'cleared' as const),
                since: fc.constantFrom('2d', 'last'),
                timeZone: fc.constant('Europe/Lisbon'),
                sort: fc.constant('raised' as const),
              },
              { requiredKeys: ['severities'] },
            ),
            { nil: undefined },
          ),
        }),
        complianceWatches: items({
          ...placed,
          policy: fc.record({ id: fc.constantFrom('p-1', 'p-2', 'ü'), name: text }),
          above: fc.integer({ min: 0, max: 1_000_000 }),
        }),
        policyWatches: items({ ...placed }),
        digests: items({
          ...placed,
          time: fc.constantFrom('08:15', '00:00', '23:59'),
          weekdays: fc.subarray(['monday', 'tuesday', 'sunday'] as const, { minLength: 1 }),
          timeZone: fc.constantFrom('Europe/Lisbon', 'America/New_York', 'UTC'),
          include: fc.subarray([...digestParts], { minLength: 1 }),
          ifEmpty: fc.constantFrom('heartbeat' as const, 'silence' as const),
          filter,
        }),
      })
      .map((workspace) => withoutDuplicates(canonical(workspaceConfiguration.parse(workspace))));
  });
}

function items<Fields extends object>(
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) {
  return fc.array(fc.record<Fields>(fields), { maxLength: 4 });
}

/** What a channel can have only once is there once. */
function withoutDuplicates(workspace: Workspace): Workspace {
  const seen = new Set<string>();
  const items = workspace.items.filter(({ section, identity }) => {
    const isKept = section.canRepeat || !seen.has(identity);
    seen.add(identity);
    return isKept;
  });
  return { ...workspace, items };
}
