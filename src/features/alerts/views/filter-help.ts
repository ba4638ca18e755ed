import { code } from '../../../slack/ui/mrkdwn.ts';
import { sorts } from '../alert-search.ts';
import { sortLabels } from './format-search.ts';

/** What each filter means, with examples: lines of mrkdwn. */
export const filterHelp: string[] = [
  '*Filters*, in any order',
  `${code('severity:error')} · with this severity, or with one of several: ${code('severity:error,warning')}`,
  `${code('type:restore_failed')} · of this type`,
  `${code('policy:gold')} · of policies with this text in their name. With spaces: ${code('policy:"Databases, hourly"')}`,
  `${code('since:2d')} · updated in the last two days. Also ${code('since:3h')}, ${code('since:1w')}, ${code('since:monday')} or a date: ${code('since:2026-11-01')}`,
  `${code('status:cleared')} · cleared alerts, or ${code('status:all')} for active and cleared ones`,
  `${code('vm-12')} · with this text anywhere in the alert`,
  '',
  '*Order*',
  ...sorts.map((sort) => `${code(`sort:${sort}`)} · ${sortLabels[sort]}`),
];
