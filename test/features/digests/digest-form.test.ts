import { expect, it } from 'vitest';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import { previewDigest } from '../../../src/features/digests/register.ts';
import {
  chosenSettings,
  digestForm,
  digestFormModal,
} from '../../../src/features/digests/views/digest-form.ts';
import { decodeValue, encodeValue } from '../../../src/slack/ui/codec.ts';
import { readFields } from '../../../src/slack/ui/form.ts';
import { parseViewValues } from '../../../src/slack/ui/view-values.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { startDigests, teamId } from './start-digests.ts';
import { sampleSettings } from './store/digest-rows.ts';

const option = (value: string) => ({ value });

/** A submission with an invalid time zone, with fields that the form doesn't have. */
const state = {
  time: { input: { selected_time: '17:15' } },
  weekdays: { input: { selected_options: [option('2'), option('6')] } },
  timeZone: { input: { value: 'Berln' } },
  parts: { input: { selected_options: [option('approvals')] } },
  whenEmpty: { input: { selected_option: option('silence') } },
  'quiet-from': { input: { selected_time: '22:00' } },
  'quiet-to': { input: { selected_time: null } },
};

it('shows an invalid form again as it was submitted', async () => {
  const { dependencies, client, openContext } = await startDigests();
  const metadata = { channelId: opsChannelId };
  const authorized = {
    teamId,
    slack: client,
    log: dependencies.log,
    person: {
      slackUserId: 'U0ANA00001',
      isAdmin: false,
      email: undefined,
      membership: 'member' as const,
    },
  };
  const values = parseViewValues(state);
  const preview = await previewDigest(
    {
      ...authorized,
      ...openContext(teamId),
      metadata,
      viewId: 'V1',
      values,
      entered: readFields(digestForm.fields, values),
    },
    dependencies,
  );
  if (!('errors' in preview)) throw new Error('the form was accepted');
  const { errors, retry } = preview;
  expect(errors).toEqual({
    timeZone: expect.stringContaining('Did you mean Europe/Berlin?'),
  });
  const left = {
    time: '17:15',
    weekdays: ['2', '6'],
    timeZone: 'Berln',
    parts: ['approvals'],
    whenEmpty: 'silence',
    search: defaultSearch,
  };
  expect(retry).toEqual(digestFormModal(left, metadata, builtInValues));
  expect(JSON.stringify(retry.blocks)).toMatch(/17:15.*Tuesday.*Berln.*approval.*silence/);
});

it('drops the quiet hours from the preview of an earlier version', () => {
  const metadata = { channelId: opsChannelId, settings: sampleSettings };
  const quiet = { from: '22:00', to: '07:00' };
  const drawn = { ...metadata, settings: { ...sampleSettings, quiet } };
  expect(decodeValue(chosenSettings, encodeValue(drawn))).toEqual(metadata);
});

it('validates the form before checking whether Belay can post', async () => {
  const { ana, slack } = await startDigests();
  await ana.send('ops', '/belay digest new');
  const form = await ana.seeDialog('Time zone');
  slack.failNext('conversations.info', 'fatal_error');
  await ana.submit(form, { timeZone: { input: 'Berln' } });
  const { errors } = await ana.see(({ views }) => views.at(-1));
  expect(errors?.timeZone).toContain('Did you mean Europe/Berlin?');
  expect(slack.calls.filter(({ method }) => method === 'conversations.info')).toEqual([]);
});
