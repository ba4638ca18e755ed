import { context, type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { cutMrkdwn, mention, quote } from '../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Action, Detail } from '../action.ts';
import type { Approval, Run, StoredCheck } from '../approval.ts';
import { hasResults } from './subject-results.ts';

/** What an approver weighs: the change, Belay's checks, and the requester's reason. */
export function requestFacts(approval: Approval, action: Action): KnownBlock[] {
  return [
    ...(hasResults(approval) ? [] : action.changes()).map((line) => section(line)),
    ...checkBlocks(approval, action),
    section(formatReason(approval)),
    ...detailBlocks(approval, action),
  ];
}

/** Who asked for it, and why: quoted, because it could imitate a line of Belay. */
function formatReason({ requester, reason, breakGlass }: Approval): string {
  const label = breakGlass ? 'Run by' : 'Requested by';
  return `*${label}* ${mention(requester)}\n${quote(reason)}`;
}

/** The subject at the time of the request; labeled as such once it was decided. */
function detailBlocks({ preview, state }: Approval, action: Action): KnownBlock[] {
  const format = (details: Detail[]) =>
    details.map(({ label, value }) => `${label}: ${value}`).join(' · ');
  const seen = format(preview);
  const dated = seen && state !== 'pending' ? `At request · ${seen}` : seen;
  const facts = [format(action.details), dated].filter(Boolean).join(' · ');
  return facts ? [context(cutMrkdwn(facts, 1500))] : [];
}

/** One line per guard, those that could not be checked included: approvers weigh both. */
function checkBlocks({ runs, state }: Approval, action: Action): KnownBlock[] {
  const checks = shownChecks(runs, action);
  if (checks.length === 0) return [];
  const lines = checks.map(formatCheck);
  const atRequest = 'At the time of the request:';
  return [section((state === 'pending' ? lines : [atRequest, ...lines]).join('\n'))];
}

/** The checks of all subjects, each once, with the number of subjects where it isn't that of all. */
export function shownChecks(
  runs: Pick<Run, 'checks'>[],
  { nameSubjects }: Pick<Action, 'nameSubjects'>,
): StoredCheck[] {
  const byText = Map.groupBy(
    runs.flatMap(({ checks }) => checks),
    ({ label, result, words, detail }) => JSON.stringify([label, result, words, detail]),
  );
  return [...byText.values()].flatMap(([check, ...rest]) => {
    if (!check) return [];
    const count = rest.length + 1;
    if (count === runs.length || !nameSubjects) return [check];
    return [{ ...check, detail: [nameSubjects(count), check.detail].filter(Boolean).join(', ') }];
  });
}

export function formatCheck({ label, result, words = label, detail }: StoredCheck): string {
  const text = detail ? `${words} (${detail})` : words;
  return result === 'passed' ? `✓ ${capitalize(text)}` : `⚠ Couldn't check: ${text}`;
}
