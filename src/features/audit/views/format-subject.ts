import {
  type ActionName,
  type AuditedAction,
  auditedActions,
  auditedSteps,
  type StepName,
  type VerbForms,
} from '../../../audit-log/registry.ts';
import { code, safe, safeName, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import type { AuditRecord } from '../store/audit-store.ts';

/** What an entry is about, as parts of a sentence: mrkdwn. */
export type AuditedChange = {
  /** Of the step, or else of the action: the first step of a deletion disables. */
  verb: VerbForms;
  /** "Kim Lee (kim@example.com)"; undefined when the entry names no subject. */
  subject: string | undefined;
  /** The action and its subject: "delete Kim Lee (kim@example.com)". */
  request: string | undefined;
  /** The id of the subject, where the other parts neither have it nor the address of a user. */
  id: string | undefined;
};

const maxLength = 150;

/** What stands before the name of a subject, if not its kind. */
const prefixes: Record<string, string> = { user: '', drill: 'the restore drill of ' };

const unknownVerb: VerbForms = {
  plain: 'run',
  past: 'ran',
  progressive: 'running',
};

/** Names the subject by the entry's data; where that was erased, by the id that stays. */
export function auditedChange(record: AuditRecord): AuditedChange {
  const { action, facts } = record;
  const actionVerb = isAction(action) ? auditedActions[action].verb : undefined;
  const verb = isStep(facts.step) ? auditedSteps[facts.step] : actionVerb;
  const { subject, id } = formatSubject(record);
  const request = formatRequest(record, actionVerb, subject);
  // An action of a newer version is known only by the summary of its request.
  const named = !verb && action ? `the request to ${request}` : subject;
  return { verb: verb ?? unknownVerb, subject: named, request, id };
}

function isAction(name: string | undefined): name is ActionName {
  return name !== undefined && Object.hasOwn(auditedActions, name);
}

function isStep(name: unknown): name is StepName {
  return typeof name === 'string' && Object.hasOwn(auditedSteps, name);
}

function formatSubject(record: AuditRecord): Pick<AuditedChange, 'subject' | 'id'> {
  const { action, subjectId } = record;
  const kind = isAction(action) ? auditedActions[action].subject : 'user';
  if (kind === 'setup') return { subject: 'the settings', id: undefined };
  const isAlert = kind === 'alert';
  const name = subjectName(record);
  if (kind === 'user' && action && subjectId === undefined)
    return { subject: name ? safeName(name) : unnamed(action), id: undefined };
  // A policy that isn't created yet has no id, so its name is shown.
  const isNew = action === 'policies.create' && subjectId === name;
  const id = subjectId !== undefined && !isNew ? `${kind} ${code(subjectId, 60)}` : undefined;
  // The name of a policy without one is its id.
  if (kind === 'policy' && id && subjectId === name)
    return { subject: `unnamed ${id}`, id: undefined };
  if (name === undefined) return { subject: id && isAlert ? `the ${id}` : id, id: undefined };
  return {
    subject: isAlert
      ? `the alert about ${safe(name, maxLength)}`
      : `${prefixes[kind] ?? `${kind} `}${safeName(name, maxLength)}`,
    // No two users of a tenant have the same address.
    id: kind === 'user' && name.includes('@') ? undefined : id,
  };
}

/** An invitation that was refused before it was requested has no id, and always one subject. */
function unnamed(action: string): string {
  return action === 'users.invite' ? 'a user' : 'several users';
}

/** The subject and the object of the action, plain text: "Kim Lee (kim@example.com) to Kim Park". */
function subjectName(record: AuditRecord): string | undefined {
  const { action, personal, requestPersonal = {} } = record;
  const stored = personal.subject === undefined ? requestPersonal : personal;
  if (stored.subject === undefined) return undefined;
  const known: AuditedAction | undefined = isAction(action) ? auditedActions[action] : undefined;
  return [stored.subject, known?.formatObject?.(stored)].filter(Boolean).join(' ');
}

function formatRequest(
  record: AuditRecord,
  actionVerb: VerbForms | undefined,
  subject: string | undefined,
): string | undefined {
  if (actionVerb && subject) return `${actionVerb.plain} ${subject}`;
  const summary = summaryOf(record);
  if (summary) return safe(summary, maxLength);
  const { action } = record;
  return action && [safe(action, 60), subject && `(${subject})`].filter(Boolean).join(' ');
}

function summaryOf({ personal, requestPersonal }: AuditRecord): string | undefined {
  const summary = personal.summary ?? requestPersonal?.summary;
  return (summary && oneLine(stripMarkup(summary))) || undefined;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
