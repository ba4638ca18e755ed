import { describe, expect, it } from 'vitest';
import { people } from '../../../playground/people.ts';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { maxSavedFilters } from '../../../src/features/alerts/store/saved-filters.ts';
import { buttonTexts } from '../../support/ask.ts';
import { startWatches, teamId } from '../watches/watch-stage.ts';

const opsId = 'C0OPS00001';

/** Two active alerts: an error about `disk-1` and a warning about `disk-2`. */
async function startSaving() {
  const stage = await startWatches();
  stage.raise('disk-1', { severity: 'error' });
  stage.raise('disk-2', { severity: 'warning' });
  return stage;
}

describe('a saved filter', () => {
  it('is the search before "as", for the person alone', async () => {
    const { ana, ben } = await startSaving();
    await ana.send('ops', '/belay alerts severity:error since:1d as Morning');
    const saved = await ana.seeMessage('Saved your filter *morning*.');
    expect(saved.text).toContain('Command: `/belay alerts severity:error since:1d`');
    await ana.send('ops', '/belay alerts MORNING');
    const list = await ana.seeMessage('Using your saved filter *morning*.');
    expect(list.text).toContain('To search for the text: `/belay alerts "morning"`');
    expect(list.text).toContain('Command: `/belay alerts severity:error since:1d`');
    await ana.send('ops', '/belay alerts "morning"');
    await ana.seeMessage('Filters: “morning”');
    await ben.send('ops', '/belay alerts morning');
    await ben.seeMessage('Filters: “morning”');
    await ben.send('ops', '/belay alerts filter:morning');
    await ben.seeMessage('No saved filter “morning” for you or this channel.');
  });

  it('can be used beside other parts, which take the place of its own', async () => {
    const { ana } = await startSaving();
    await ana.send('ops', '/belay alerts severity:error since:1d disk as morning');
    await ana.seeMessage('Saved your filter *morning*');
    await ana.send('ops', '/belay alerts filter:morning severity:warning 2');
    const command = 'Command: `/belay alerts severity:warning since:1d "disk" "2"`';
    expect((await ana.seeMessage(command)).text).toContain('Using your saved filter *morning*.');
    await ana.send('ops', '/belay alerts filter:mornin');
    await ana.seeMessage('Did you mean `filter:morning`?');
  });

  it('of a person is used before that of the channel', async () => {
    const { ana, ben } = await startSaving();
    await ben.send('ops', '/belay alerts severity:warning as morning here');
    await ben.seeMessage("Saved this channel's filter *morning*.");
    await ana.send('ops', '/belay alerts morning');
    const ofChannel = await ana.seeMessage("Using this channel's saved filter *morning*.");
    expect(ofChannel.text).toContain('Filters: warning');
    await ana.send('ops', '/belay alerts severity:error as morning');
    await ana.seeMessage('Saved your filter *morning*.');
    await ana.send('ops', '/belay alerts filter:morning');
    const own = await ana.seeMessage('Using your saved filter *morning*.');
    expect(own.text).toContain('Filters: error');
    await ana.send('random', '/belay alerts filter:morning');
    await ana.see(
      ({ conversations }) =>
        conversations
          .filter(({ name }) => name === 'random')
          .flatMap(({ messages }) => messages)
          .find(({ text }) => text.includes('Using your saved filter *morning*.')),
      "the person's own filter in another channel",
    );
    await ben.send('random', '/belay alerts filter:morning');
    await ben.seeMessage('No saved filter “morning” for you or this channel.');
  });

  it('is replaced by its creator, approvers and admins, who see what it was', async () => {
    const { ana, ben, savedFilters } = await startSaving();
    await ana.send('ops', '/belay alerts severity:error as morning here');
    await ana.seeMessage("Saved this channel's filter *morning*.");
    await ben.send('ops', '/belay alerts severity:warning as morning here');
    const replaced = await ben.seeMessage('It replaces an earlier filter:');
    expect(replaced.text).toContain('`/belay alerts severity:error`');
    await ben.send('ops', '/belay alerts severity:error as team here');
    await ben.seeMessage("Saved this channel's filter *team*.");
    await ana.send('ops', '/belay alerts severity:notice as team here');
    await ana.seeMessage('Only the creator of a saved filter, approvers and admins can change');
    const stored = await savedFilters.list(teamId, [opsId]);
    expect(stored.map(({ name, search }) => [name, search.severities])).toEqual([
      ['morning', ['warning']],
      ['team', ['error']],
    ]);
  });

  it('does not replace one that somebody else has saved meanwhile', async () => {
    const { savedFilters, clock } = await startSaving();
    const of = { owner: opsId, name: 'x', search: defaultSearch, createdAt: clock() };
    const byBen = { ...of, createdBy: people.ben };
    expect(await savedFilters.save(teamId, byBen, undefined)).toBe('saved');
    expect(await savedFilters.save(teamId, { ...of, createdBy: people.ana }, undefined)).toBe(
      'taken',
    );
    expect(await savedFilters.save(teamId, { ...of, createdBy: people.ana }, byBen)).toBe('saved');
  });

  it.each([
    ['error', '“error” already means something in a search'],
    ['today', '“today” already means something'],
    ['since', '“since” already means something'],
    ['policy_violated', '“policy_violated” already means something'],
    ['critical', '“critical” already means something'],
    ['new', '“new” already means something'],
    ['filters', '“filters” already means something'],
    ['mine', '“mine” already means something'],
    ['list', '“list” already means something'],
    ['my morning', "A filter's name is one word of at most 30"],
    ['a:b', "A filter's name is one word of at most 30"],
    ['x'.repeat(31), "A filter's name is one word of at most 30"],
  ])('is not called %s', async (name, why) => {
    const { ana, savedFilters } = await startSaving();
    await ana.send('ops', `/belay alerts severity:warning as ${name}`);
    expect((await ana.seeMessage(why)).text).toContain('Nothing was saved.');
    expect(await savedFilters.list(teamId, [people.ana, opsId])).toEqual([]);
  });

  it('has an "as" without quotation marks', async () => {
    const { ana, savedFilters } = await startSaving();
    await ana.send('ops', '/belay alerts "runs as root"');
    await ana.seeMessage('Filters: “runs as root”');
    await ana.send('ops', '/belay alerts mounted as read only');
    await ana.seeMessage('To search for the word “as”, put the text in quotation marks.');
    expect(await savedFilters.list(teamId, [people.ana])).toEqual([]);
  });

  it('is listed, viewed and deleted, by those who may', async () => {
    const { ana, ben, savedFilters } = await startSaving();
    await ana.send('ops', '/belay alerts filters');
    await ana.seeMessage('No saved filters for you or this channel.');
    await ana.send('ops', '/belay alerts severity:error as own');
    await ana.seeMessage('Saved your filter *own*');
    await ben.send('ops', '/belay alerts severity:warning as ours here');
    await ben.seeMessage("Saved this channel's filter *ours*");

    await ana.send('ops', '/belay filters');
    const list = await ana.seeMessage("*ours* · this channel's");
    expect(list.text).toContain('*own* · yours');
    expect(list.text).toContain(`added by <@${people.ben}>`);
    expect(buttonTexts(list)).toEqual(['View alerts', 'Delete', 'View alerts', 'Refresh']);
    await ana.press(list, 'View alerts: saved filter ours');
    await ana.seeMessage('Filters: warning');
    await ana.press(list, 'Delete');
    await ana.seeMessage('Deleted your saved filter *own*: `/belay alerts severity:error`');
    await ana.press(list, 'View alerts: saved filter own');
    await ana.seeMessage('This saved filter no longer exists here.');

    await ben.send('ops', '/belay alerts filters');
    const ofBen = await ben.seeMessage('*Saved filters*');
    expect(ofBen.text).not.toContain('*own*');
    await ben.press(ofBen, 'Delete');
    await ben.seeMessage("Deleted this channel's saved filter *ours*");
    expect(await savedFilters.list(teamId, [people.ana, people.ben, opsId])).toEqual([]);
  });

  it('is one of at most 50, which are listed in pages', async () => {
    const { ana, savedFilters, clock } = await startSaving();
    for (let index = 1; index <= maxSavedFilters; index += 1) {
      const by = { owner: people.ana, createdBy: people.ana, createdAt: clock() };
      const name = `f-${String(index).padStart(2, '0')}`;
      await savedFilters.save(teamId, { ...by, name, search: defaultSearch }, undefined);
    }
    await ana.send('ops', '/belay alerts severity:error as more');
    await ana.seeMessage('can have at most 50 saved filters. Nothing was saved.');
    await ana.send('ops', '/belay alerts severity:error as f-50');
    await ana.seeMessage('Saved your filter *f-50*');
    await ana.send('ops', '/belay alerts filters');
    const first = await ana.seeMessage('*Saved filters*, 1-10 of 50');
    await ana.press(first, 'Next');
    const second = await ana.seeMessage('*Saved filters*, 11-20 of 50');
    expect(second.messageTs).toBe(first.messageTs);
    expect(second.text).toContain('*f-20*');
  });

  it('is saved in the form, where its name is checked', async () => {
    const { ana, ben } = await startSaving();
    await ana.send('ops', '/belay alerts severity:error');
    await ana.press(await ana.seeMessage('Filters: error'), 'Filter');
    const form = await ana.seeDialog('Save as');
    await ana.submit(form, { saveAs: { input: 'yesterday' } });
    await ana.seeDialog('“yesterday” already means something in a search');
    await ana.submit(form, { saveAs: { input: 'Team' }, saveFor: { input: 'channel' } });
    await ana.seeMessage("Saved this channel's filter *team*.");
    await ben.send('ops', '/belay alerts team');
    await ben.seeMessage('Filters: error');
  });
});

describe('a watch', () => {
  it('copies a saved filter', async () => {
    const { ana, watchesOfOps } = await startSaving();
    await ana.send('ops', '/belay alerts severity:error disk-1 sort:raised as morning');
    await ana.seeMessage('Saved your filter *morning*');
    await ana.send('ops', '/belay watch morning');
    const added = await ana.seeMessage('Watch added.');
    expect(added.text).toContain('From the saved filter *morning*.');
    await ana.send('ops', '/belay alerts severity:notice as morning');
    await ana.seeMessage('It replaces an earlier filter:');
    const [watch, ...others] = await watchesOfOps();
    expect(watch?.search).toEqual({ ...defaultSearch, severities: ['error'], words: ['disk-1'] });
    expect(others).toEqual([]);
    await ana.send('ops', '/belay watch filter:morning other');
    await ana.seeMessage('Watch new alerts (notice, “other”)?');
  });

  it.each(['since:1d', 'since:last', 'status:cleared'])('has no %s', async (part) => {
    const { ana, watchesOfOps } = await startSaving();
    await ana.send('ops', `/belay alerts severity:error ${part} as morning`);
    await ana.seeMessage('Saved your filter *morning*');
    await ana.send('ops', '/belay watch morning');
    const refused = await ana.seeMessage('because a watch posts');
    expect(refused.text).toMatch(
      /^The saved filter is `\/belay alerts severity:error .*`\. Remove/,
    );
    expect(await watchesOfOps()).toEqual([]);
  });
});
