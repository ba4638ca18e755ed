import { expect, it } from 'vitest';
import { validateView } from '../../../../playground/slack/validate/view.ts';
import { readAlert } from '../../../../src/dataprotection/resources/alerts.ts';
import { alertGoneModal, alertModal } from '../../../../src/features/alerts/views/alert-modal.ts';
import { listAlerts } from '../../../dataprotection/list-alerts.ts';
import { answerJson, clientOf, collect } from '../../../dataprotection/local-server.ts';
import { openReference } from '../../../dataprotection/reference-service.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { textsOf } from '../../message-parts.ts';
import { alertMadeOf } from '../hostile-alert.ts';

const offer = {
  canChange: true,
  mayNote: true,
  mayOwn: true,
  mayRelease: false,
  state: undefined,
  mayClear: true,
  channelId: 'C1',
};

const wire = {
  id: 'id-1',
  type: 'tag_conflict',
  cause: 'two_match',
  severity: 'dire',
  status: 'active',
  notes: 'Ask <!here>',
  raised_count: 3,
  raised_timestamp: '2026-03-01T00:00:00Z',
  updated_timestamp: 'last week',
  cleared_timestamp: null,
  consolidated_alert_id: 'con-9',
  _etag: 'etag-5',
  blast_radius: { volumes: 4 },
  muted: false,
  tags: [{ id: 't1', x: 1 }],
  primary_entity: { id: 'ent-1', type: 'aws_ebs_volume', value: 'orders_db', zone: 'a' },
  parent_entity: { id: 'par-1', type: 'policy', value: 'Gold' },
  details: {
    type: 'Tag conflict',
    cause: 'Two match',
    description: 'Remove one tag.',
    variables: { attempt: '2' },
    runbook: 'https://docs.example/x',
  },
};

it('shows state and every field, advice first', async () => {
  const client = await clientOf((_request, response) => answerJson(response, wire));
  const view = alertModal(await readAlert(client, 'id-1'), offer);
  expect(validateView(view)).toEqual([]);
  const texts = textsOf(view.blocks);
  expect(texts[0]).toBe(
    ':white_circle: Dire · *orders_db* (AWS EBS volume)\nTag conflict: Two match',
  );
  expect(texts[1]).toBe('*What to do*\nRemove one tag.');
  expect(texts).toEqual(
    expect.arrayContaining([
      '*Severity*\nDire',
      '*Status*\nActive',
      '*Type*\nTag conflict',
      '*Cause*\nTwo match',
      '*Updated*\nlast week',
      expect.stringMatching(/^\*Raised\*\n<!date\^1772323200\^/),
      '*Times raised*\n3',
      '*Note*\n> Ask &lt;!here&gt;',
      '*Resource*\norders_db\nAWS EBS volume\nent-1\nzone: "a"',
      '*Policy*\nGold\npar-1',
      '*Tags*\nt1 {"x":1}',
      '*Details*\nattempt: 2',
      '*Alert ID*\nid-1',
      '*Consolidated alert ID*\ncon-9',
      '*Version*\netag-5',
      '*blast_radius*\n{"volumes":4}',
      '*muted*\nfalse',
      '*details.runbook*\nhttps://docs.example/x',
    ]),
  );
});

it('shows no clear button for an alert with a clearing time, even without a status', () => {
  const alert = { id: 'a1', clearedTimestamp: '2026-03-01T11:00:00Z', otherFields: {} };
  expect(JSON.stringify(alertModal(alert, offer))).not.toContain('Clear alert');
  const open = { ...alert, clearedTimestamp: undefined };
  expect(JSON.stringify(alertModal(open, offer))).toContain('Clear alert');
});

it('leaves out missing fields', async () => {
  const client = await clientOf((_request, response) =>
    answerJson(response, { id: 'id-1', severity: 'error', status: 'active' }),
  );
  const view = alertModal(await readAlert(client, 'id-1'), offer);
  expect(validateView(view)).toEqual([]);
  const texts = textsOf(view.blocks);
  expect(texts.slice(1)).toEqual(['*Severity*\nError', '*Status*\nActive', '*Alert ID*\nid-1']);
});

it("names a type as lists do, and shows the service's words beside", async () => {
  const typed = { id: 'id-1', type: 'enc_key_inaccessible', details: { type: 'Key locked' } };
  const client = await clientOf((_request, response) => answerJson(response, typed));
  const texts = textsOf(alertModal(await readAlert(client, 'id-1'), offer).blocks);
  expect(texts).toContain('*Type*\nEncryption key inaccessible\nKey locked\nenc_key_inaccessible');
});

it('links to the portal where its address is known', () => {
  const alert = { id: 'a1', otherFields: {} };
  const { blocks } = alertModal(alert, { ...offer, portalUrl: 'https://portal.example/' });
  expect(textsOf(blocks).at(-1)).toBe('<https://portal.example/|Open portal>');
});

it('renders each alert of the reference service so that Slack accepts it', async () => {
  const { client } = await openReference();
  const alerts = await collect(listAlerts(client));
  expect(alerts.flatMap((alert) => validateView(alertModal(alert, offer)))).toEqual([]);
});

it.each(Object.entries(hostileTexts))('renders %s from the service', (_name, text) => {
  const view = alertModal(alertMadeOf(text), offer);
  expect(validateView(view)).toEqual([]);
  expect(JSON.stringify(textsOf(view.blocks))).not.toMatch(/<(?!!date)/);
  // Slack refuses views above 250 kB.
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(250_000);
  expect(textsOf(view.blocks).at(-1)).toBe('*Not shown*\n241 more fields of the service');
});

it('says that the alert no longer exists', () => {
  const view = alertGoneModal('<!channel>'.repeat(300));
  expect(validateView(view)).toEqual([]);
  expect(textsOf(view.blocks)[0]).toContain('no longer exists');
});

it('offers the note to operators only', () => {
  const texts = JSON.stringify(alertModal(alertMadeOf('x'), { ...offer, mayNote: false }));
  expect(texts).not.toContain('note"');
  expect(texts).toContain('Only operators can change alert notes.');
});
