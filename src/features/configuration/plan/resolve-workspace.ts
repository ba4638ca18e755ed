import { isUserGroup } from '../../../workspace/members.ts';
import { maxSavedFilters } from '../../alerts/index.ts';
import { maxDigestsPerChannel } from '../../digests/index.ts';
import { maxNamedGroups } from '../../setup/index.ts';
import { maxMutesPerChannel, maxWatchesPerChannel } from '../../watches/index.ts';
import { canonical } from '../file/canonical.ts';
import { itemsOf, type PartialWorkspace, type Workspace } from '../file/configuration.ts';
import type { ParsedFile } from '../file/parse-configuration.ts';
import type { Item } from '../sections/define-section.ts';
import { sections } from '../sections/sections.ts';

/**
 * What a workspace is to be: the sections of the file, and the stored ones that the file leaves out.
 * @throws {ConfigurationError} if the sections don't fit each other
 */
export function resolveWorkspace(
  given: PartialWorkspace,
  stored: Workspace,
  errorAt: ParsedFile['errorAt'],
): Workspace {
  const fail = (path: PropertyKey[], problem: string) => {
    throw errorAt(path, problem);
  };
  const wanted = { ...stored, ...withoutUndefined(given) };
  if (wanted.connections.length === 0)
    fail([], 'connections are required, because the workspace has none yet');
  checkConnections(wanted, fail);
  const named = [
    ...wanted.settings.approvers,
    ...Object.values(wanted.roles).flat(),
    ...Object.values(wanted.rules).flatMap((rule) => [
      ...rule.requesters,
      ...rule.approvals.flatMap(({ from }) => from),
      ...rule.breakGlass,
    ]),
  ];
  if (new Set(named.filter(isUserGroup)).size > maxNamedGroups)
    fail(['roles'], `roles and rules name more than ${maxNamedGroups} user groups`);

  const names = new Map(wanted.connections.map(({ name }) => [name.toLowerCase(), name]));
  const items = sections.flatMap((section) => {
    const inFile = given[section.name];
    return (inFile ?? itemsOf(section, stored.items)).map((item, index): Item => {
      if (item.value.connection === undefined) return item;
      const connection = names.get(item.value.connection.toLowerCase());
      if (connection !== undefined) return item.spelled(connection);
      const problem = inFile
        ? 'no connection of the workspace has this name'
        : 'the file removes a connection that this section uses: add the section to the file, without the items on that connection';
      return fail([section.name, ...(inFile ? [index, 'connection'] : [])], problem);
    });
  });
  checkItems(items, given, fail);
  return canonical({ ...wanted, items });
}

type Fail = (path: PropertyKey[], problem: string) => never;

function checkConnections({ connections }: Workspace, fail: Fail): void {
  const seen = new Set<string>();
  connections.forEach(({ name }, index) => {
    if (seen.has(name.toLowerCase()))
      fail(['connections', index, 'name'], 'another connection has this name');
    seen.add(name.toLowerCase());
  });
  const defaults = connections.filter((one) => one.default);
  if (defaults.length > 1 || (defaults.length === 0 && connections.length > 1))
    fail(['connections'], 'exactly one connection must have default: true');
}

const maxPerChannel = {
  digests: maxDigestsPerChannel,
  watches: maxWatchesPerChannel,
  mutes: maxMutesPerChannel,
  'saved filters': maxSavedFilters,
};

/** Of the sections in the file. What is stored of the others stays as it is. */
function checkItems(items: Item[], given: PartialWorkspace, fail: Fail): void {
  for (const [{ name, canRepeat }, inSection] of Map.groupBy(items, ({ section }) => section)) {
    if (!given[name]) continue;
    const seen = new Set<string>();
    inSection.forEach((item, index) => {
      // Two filters with the same values in another order are one.
      const { identity } = item.canonical();
      if (!canRepeat && seen.has(identity)) fail([name, index], 'duplicates an earlier entry');
      seen.add(identity);
    });
  }
  for (const [channel, inChannel] of Map.groupBy(items, ({ value }) => value.channel)) {
    for (const [family, max] of Object.entries(maxPerChannel)) {
      const inFile = sections.find((section) => section.family === family && given[section.name]);
      if (inFile && inChannel.filter(({ section }) => section.family === family).length > max)
        fail([inFile.name], `${channel} has more than ${max} ${family}`);
    }
  }
}

function withoutUndefined(given: PartialWorkspace): Partial<Workspace> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
