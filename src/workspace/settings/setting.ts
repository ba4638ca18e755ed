import type { AuditFacts } from '../../audit-log/entry.ts';
import type { KnownBlock } from '../../slack/ui/blocks.ts';
import {
  channelField,
  type DeclaredField,
  numberField,
  peopleField,
} from '../../slack/ui/form-fields.ts';
import { channelMention, mention, safe } from '../../slack/ui/mrkdwn.ts';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { listFirst, plural } from '../../slack/ui/words.ts';
import { isUserGroup } from '../members.ts';
import type { WorkspaceSettings } from './document.ts';

/** What saving a change requires. A change that is approved is announced, too. */
export type Requirement = 'nothing' | 'announcement' | 'approval';

/** One value that admins set, with all that Belay does with it. */
export type Setting<Name extends string = string> = {
  /** In changes, the configuration file and the audit log. */
  name: Name;
  /** In forms, and in changes of the setup. */
  label: string;
  /** Undefined if both have the same value. */
  compare: (before: WorkspaceSettings, after: WorkspaceSettings) => Requirement | undefined;
  /** mrkdwn */
  format: (settings: WorkspaceSettings) => string;
  /** What the audit log stores of a change. Keys and values are hashed: they stay as they are. */
  facts: (before: WorkspaceSettings, after: WorkspaceSettings) => AuditFacts;
  /** In sentences of the audit log. */
  audited: string;
  /** "from … to …", of what the audit log stored: mrkdwn. Undefined if there is neither. */
  formatFacts: (before: unknown, after: unknown) => string | undefined;
  /** Undefined for what `/belay access` changes. */
  field: SettingField | undefined;
};

/** The one field of the form that changes a setting. */
type SettingField = {
  declare: DeclaredField<unknown>;
  block: (settings: WorkspaceSettings) => KnownBlock;
  /** The settings with what was entered. */
  set: (settings: WorkspaceSettings, values: ViewValues) => WorkspaceSettings;
};

/** What settings of one kind have in common. */
type Kind<Value> = {
  label: string;
  isSame: (one: Value, other: Value) => boolean;
  format: (value: Value) => string;
  /** Undefined for no value. */
  toFact: (value: Value) => AuditFacts[string] | undefined;
  formatFact: (fact: unknown) => string;
  declare: DeclaredField<Value>;
  /** What is set, of what was entered; by default all of it. */
  toValue?: (entered: Value, before: Value) => Value;
};

type Declared<Value> = {
  /** In sentences of the audit log. */
  audited: string;
  kind: Kind<Value>;
  read: (settings: WorkspaceSettings) => Value;
  /** Left out for what `/belay access` changes. */
  write?: (settings: WorkspaceSettings, value: Value) => WorkspaceSettings;
  /** What another value requires. */
  requires: (before: Value, after: Value) => Requirement;
};

export function defineSetting<Name extends string, Value>(
  name: Name,
  { audited, kind, read, write, requires }: Declared<Value>,
): Setting<Name> {
  const isSame = (before: WorkspaceSettings, after: WorkspaceSettings) =>
    kind.isSame(read(before), read(after));
  const fact = (key: string, settings: WorkspaceSettings): AuditFacts => {
    const value = kind.toFact(read(settings));
    return value === undefined ? {} : { [key]: value };
  };
  const show = (value: unknown) => (value === undefined ? 'none' : kind.formatFact(value));
  return {
    name,
    label: kind.label,
    audited,
    compare: (before, after) =>
      isSame(before, after) ? undefined : requires(read(before), read(after)),
    format: (settings) => kind.format(read(settings)),
    facts: (before, after) =>
      isSame(before, after)
        ? {}
        : { ...fact(`${name}Before`, before), ...fact(`${name}After`, after) },
    formatFacts: (before, after) =>
      before === undefined && after === undefined
        ? undefined
        : `from ${show(before)} to ${show(after)}`,
    field: write && fieldOf(name, kind, { read, write }),
  };
}

function fieldOf<Value>(
  name: string,
  { declare, toValue = (entered) => entered }: Kind<Value>,
  { read, write }: Required<Pick<Declared<Value>, 'read' | 'write'>>,
): SettingField {
  const field = declare(name);
  return {
    declare,
    block: (settings) => field.block(read(settings)),
    set: (settings, values) => write(settings, toValue(field.read(values), read(settings))),
  };
}

type Labels = { label: string; hint?: string };

type NumberOptions = Labels & {
  min: number;
  max: number;
  unit?: { one: string; many: string; none: string };
};

export function wholeNumber({ label, unit, ...options }: NumberOptions): Kind<number> {
  const format = (value: number) => {
    if (!unit) return String(value);
    return value === 0 ? unit.none : plural(value, unit.one, unit.many);
  };
  return {
    label,
    isSame: (one, other) => one === other,
    format,
    toFact: (value) => value,
    formatFact: (fact) => format(Number(fact)),
    declare: numberField({ ...options, label: unit ? `${label} (${unit.many})` : label }),
  };
}

/** `none`: what having no channel means. */
export function channel({ none, ...labels }: Labels & { none: string }): Kind<string | undefined> {
  return {
    label: labels.label,
    isSame: (one, other) => one === other,
    format: (id) => (id === undefined ? none : channelMention(id)),
    toFact: (id) => id,
    formatFact: (id) => channelMention(safe(String(id), 30)),
    declare: channelField({ ...labels, isOptional: true }),
  };
}

const maxAudited = 10;

/** People and user groups. `nobody`: who it is if none are named; `besides`: who it is in any case. */
export function people({
  nobody,
  besides,
  ...labels
}: Labels & { nobody: string; besides?: string }): Kind<string[]> {
  const declare = peopleField({ ...labels, isOptional: true });
  const all = (mentions: string) => (besides ? `${mentions} and ${besides}` : mentions);
  const isSame = (one: string[], other: string[]) =>
    one.length === other.length && other.every((id) => one.includes(id));
  return {
    label: labels.label,
    isSame,
    format: (ids) => (ids.length === 0 ? nobody : all(ids.map(mention).join(', '))),
    toFact: (ids) => ids,
    formatFact(fact) {
      const ids = Array.isArray(fact) ? fact : [];
      if (ids.length === 0) return nobody;
      const mentions = ids.map((id) => mention(safe(String(id), 30)));
      return listFirst(mentions, maxAudited);
    },
    // The field takes people only: groups are chosen with `/belay access`.
    declare(id) {
      const field = declare(id);
      return {
        ...field,
        block: (ids) => field.block(ids?.filter((one) => !isUserGroup(one))),
        read: (values) => [...field.read(values)],
      };
    },
    toValue: (entered, before) => [...entered, ...before.filter(isUserGroup)],
  };
}
