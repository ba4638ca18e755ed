import type { Person } from '../../slack/api/person.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal } from '../../slack/ui/modal.ts';
import { documentedValues, resolveSearch, withValuesOf } from '../alerts/index.ts';
import { readMayChange, whoMayChange } from '../workspaces/index.ts';
import { setUpWatch } from './set-up-watch.ts';
import { type ShowDependencies, showWatches } from './show-watches.ts';
import { editWatchModal, filterBlockId } from './views/edit-modal.ts';
import {
  editActionId,
  editCallbackId,
  editMetadata,
  endActionId,
  shownWatch,
  shownWatchValue,
  watchValue,
} from './views/ids.ts';
import type { Watch } from './watch.ts';
import { checkWatchFilter, parseWatchFilter } from './watch-filter.ts';

export type WatchesDependencies = ShowDependencies;

/** `/belay watch`: new alerts in a channel, as they come. */
export function registerWatches(
  listeners: Listeners,
  dependencies: WatchesDependencies,
): Subcommand[] {
  const { store, knownValues, clock } = dependencies;

  /** Finds a watch that this person may change, or says why not. */
  async function findChangeable(
    teamId: string,
    person: Person,
    watchId: string,
  ): Promise<{ watch: Watch } | { refusal: Message }> {
    const watch = await store.find({ teamId, id: watchId });
    if (!watch) return { refusal: gone };
    const mayChange = await readMayChange(teamId, person, dependencies);
    return mayChange(watch) ? { watch } : { refusal: notYours };
  }

  listeners.action(editActionId, watchValue, async ({ value, teamId, person, ...call }) => {
    const found = await findChangeable(teamId, person, value.watchId);
    if ('refusal' in found) return { reply: found.refusal };
    const known = await knownValues.read(teamId);
    await openModal(call, editWatchModal(found.watch, call.channelId, known));
    return undefined;
  });

  listeners.action(endActionId, shownWatchValue, async ({ value, teamId, person }) => {
    const found = await findChangeable(teamId, person, value.watchId);
    if ('refusal' in found) return { reply: found.refusal };
    if (shownWatch(found.watch).changedAt !== value.changedAt) return { reply: changedSince };
    const change = { teamId, id: value.watchId, by: person.slackUserId, at: clock() };
    const isEnded = await store.end(change);
    return { reply: isEnded ? ended : gone };
  });

  listeners.submission(editCallbackId, {
    metadata: editMetadata,
    check(values, metadata) {
      const known = withValuesOf(documentedValues, metadata);
      const problem = checkWatchFilter(values.text(filterBlockId) ?? '', clock(), known, metadata);
      return problem ? { [filterBlockId]: problem } : undefined;
    },
    typed: (values) => values.text(filterBlockId),
    async run({ metadata, values, teamId, person }) {
      const found = await findChangeable(teamId, person, metadata.watchId);
      if ('refusal' in found) return found.refusal;
      const at = clock();
      const text = values.text(filterBlockId) ?? '';
      const parsed = await resolveSearch(
        teamId,
        (known) => parseWatchFilter(text, at, withValuesOf(known, found.watch.search)),
        dependencies,
      );
      if ('problem' in parsed) return notice(parsed.problem);
      const { search } = parsed;
      const change = { teamId, id: metadata.watchId, by: person.slackUserId, at };
      const changed = await store.change({ ...change, search });
      if (changed === 'duplicate') return duplicate;
      return changed ? undefined : gone;
    },
  });

  return [
    {
      name: 'watch',
      usage: 'watch [all, or a filter such as severity:error]',
      summary: 'Post new alerts here as they come; without a filter, show, edit and end watches',
      run: (call) =>
        isFilter(call.text) ? setUpWatch(call, dependencies) : showWatches(call, dependencies),
    },
  ];
}

/** One of these words alone asks for the list; in quotes it is a filter. */
const listWords = [
  ...['', 'list', 'show', 'help', 'new', 'add', 'set', 'on', 'start'],
  ...['edit', 'change', 'end', 'stop', 'off', 'delete', 'remove'],
];

function isFilter(text: string): boolean {
  return !listWords.includes(text.trim().toLowerCase());
}

const ended = notice('The watch has ended. `/belay watch` shows those that are left.');
const changedSince = notice(
  'This watch was changed after the list was made. Nothing was ended. `/belay watch` shows it as it is now.',
);
const gone = notice('This watch has ended already. Nothing was changed.');
const notYours = notice(`${whoMayChange('watch')} Nothing was changed.`);
const duplicate = notice('Another watch here shows the same already. Nothing was changed.');
