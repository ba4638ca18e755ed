import type { Person } from '../../slack/api/person.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal } from '../../slack/ui/modal.ts';
import { withNamesOf } from '../alerts/index.ts';
import { readMayChange, whoMayChange } from '../workspaces/index.ts';
import { setUpWatch } from './set-up-watch.ts';
import { type ShowDependencies, showWatches } from './show-watches.ts';
import {
  editMetadata,
  editWatchModal,
  filterBlockId,
  shownWatch,
  shownWatchValue,
  watchValue,
} from './views/edit-modal.ts';
import { editActionId, editCallbackId, endActionId } from './views/ids.ts';
import { watchChangedMessage, watchEndedMessage } from './views/watch-notice-message.ts';
import type { Watch } from './watch.ts';
import { checkWatchFilter, parseWatchFilter } from './watch-filter.ts';

export type WatchesDependencies = ShowDependencies;

/** `/belay watch`: new alerts in a channel, as they come. */
export function registerWatches(
  listeners: Listeners,
  dependencies: WatchesDependencies,
): Subcommand[] {
  const { store, seen, clock, newId } = dependencies;

  /** The watch, if it is there and this person may change it; else what the person is told. */
  async function changeable(
    teamId: string,
    person: Person,
    watchId: string,
  ): Promise<{ watch: Watch } | { refusal: Message }> {
    const watch = await store.find({ teamId, id: watchId });
    if (!watch) return { refusal: gone };
    const mayChange = await readMayChange(teamId, person, dependencies);
    return mayChange(watch) ? { watch } : { refusal: notYours };
  }

  /** Each change is a message of its own, even of the same watch. */
  const noticeSubject = ({ id }: Watch) => `watch:${id}:change:${newId()}`;

  listeners.action(editActionId, watchValue, async ({ value, teamId, person, ...call }) => {
    const found = await changeable(teamId, person, value.watchId);
    if ('refusal' in found) return { reply: found.refusal };
    await openModal(call, editWatchModal(found.watch, call.channelId));
    return undefined;
  });

  listeners.action(endActionId, shownWatchValue, async ({ value, teamId, person }) => {
    const found = await changeable(teamId, person, value.watchId);
    if ('refusal' in found) return { reply: found.refusal };
    if (shownWatch(found.watch).changedAt !== value.changedAt) return { reply: changedSince };
    const at = clock();
    const by = person.slackUserId;
    const tell = (watch: Watch) => ({
      subject: noticeSubject(watch),
      message: watchEndedMessage(watch, by, at),
    });
    const isEnded = await store.end({ teamId, id: value.watchId, by, at, tell });
    return { reply: isEnded ? ended : gone };
  });

  listeners.submission(editCallbackId, {
    metadata: editMetadata,
    check(values, metadata) {
      const known = withNamesOf(seen.of(metadata.teamId), metadata);
      const problem = checkWatchFilter(values.text(filterBlockId) ?? '', clock(), known);
      return problem ? { [filterBlockId]: problem } : undefined;
    },
    typed: (values) => values.text(filterBlockId),
    async run({ metadata, values, teamId, person }) {
      const found = await changeable(teamId, person, metadata.watchId);
      if ('refusal' in found) return found.refusal;
      const at = clock();
      const known = withNamesOf(seen.of(teamId), found.watch.search);
      const parsed = parseWatchFilter(values.text(filterBlockId) ?? '', at, known);
      if ('problem' in parsed) return notice(parsed.problem);
      const by = person.slackUserId;
      const tell = (watch: Watch) => ({
        subject: noticeSubject(watch),
        message: watchChangedMessage(watch, by, at),
      });
      const { search } = parsed;
      const changed = await store.change({ teamId, id: metadata.watchId, search, by, at, tell });
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

/** A word of these alone asks for the list with its buttons; in quotes it is looked for in alerts. */
const notFilters = [
  ...['', 'list', 'show', 'help', 'new', 'add', 'set', 'on', 'start'],
  ...['edit', 'change', 'end', 'stop', 'off', 'delete', 'remove'],
];

function isFilter(text: string): boolean {
  return !notFilters.includes(text.trim().toLowerCase());
}

const ended = notice('The watch has ended. `/belay watch` shows those that are left.');
const changedSince = notice(
  'This watch was changed after the list was made. Nothing was ended. `/belay watch` shows it as it is now.',
);
const gone = notice('This watch has ended already. Nothing was changed.');
const notYours = notice(`${whoMayChange('watch')} Nothing was changed.`);
const duplicate = notice('Another watch here shows the same already. Nothing was changed.');
