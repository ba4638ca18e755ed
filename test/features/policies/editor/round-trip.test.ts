import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dialectRules, dialects } from '../../../../src/dataprotection/dialects/dialect.ts';
import { isJsonObject, type JsonObject } from '../../../../src/dataprotection/json.ts';
import {
  type PolicyDefinition,
  replacePolicy,
} from '../../../../src/dataprotection/resources/policies.ts';
import { knownPolicyValues } from '../../../../src/dataprotection/resources/policy-values.ts';
import { type Draft, draftContent } from '../../../../src/features/policies/editor/draft.ts';
import { newContent } from '../../../../src/features/policies/editor/open-editor.ts';
import {
  nameField,
  readName,
  typedName,
  withName,
} from '../../../../src/features/policies/editor/read-name.ts';
import { readSetForm } from '../../../../src/features/policies/editor/read-set-form.ts';
import { type SetPageRef, setPageOf } from '../../../../src/features/policies/editor/set-page.ts';
import { editPolicyModal } from '../../../../src/features/policies/views/edit-policy-modal.ts';
import { slaSetModal } from '../../../../src/features/policies/views/sla-set-modal.ts';
import { policyText } from '../../../dataprotection/policy-text.ts';
import { openReference } from '../../../dataprotection/reference-service.ts';
import { propertyRuns } from '../../../support/sampling.ts';
import { anyPolicyOnWire } from '../any-policy.ts';
import { fillModal } from './fill-modal.ts';

const draftId = '00000000-0000-4000-8000-000000000001';
const ref: SetPageRef = { draftId, revision: 0, index: 0 };

/** One field that a person edits, and where it is in an Schedule as the service has it. */
type Edit = {
  typed: Record<string, string>;
  isTyped?: boolean;
  path: (string | number)[];
  value: unknown;
};

describe.each(dialects)(
  'a policy of the %s dialect that is read, edited and replaced',
  (dialect) => {
    const names = dialectRules[dialect].policy;
    const known = dialectRules[dialect].policyValues;

    const edits: fc.Arbitrary<Edit> = fc.oneof(
      fc.constantFrom(...known.operations).map((value): Edit => {
        return { typed: { operation: value }, path: [names.operation], value };
      }),
      fc.constantFrom(...known.seedSettings.slice(0, 1)).map((value): Edit => {
        return { typed: { firstBackup: value }, path: [names.seedSetting], value };
      }),
      fc.integer({ min: 1, max: 99_999 }).map((value): Edit => {
        const path = ['slas', 0, 'rpo_frequency', 'value'];
        return { typed: { 'frequency-0': String(value) }, path, value };
      }),
      fc.integer({ min: 1, max: 99_999 }).map((value): Edit => {
        const path = ['slas', 0, 'retention_duration', 'value'];
        return { typed: { 'retention-0': String(value) }, path, value };
      }),
      fc.constantFrom(...known.retentionUnits).map((value): Edit => {
        const path = ['slas', 0, 'retention_duration', names.units];
        return { typed: { 'retention-unit-0': value }, path, value };
      }),
      fc.constantFrom('fortnight', 'quantum_backup').map((value): Edit => {
        const typed = { 'operation-typed': value };
        return { typed, isTyped: true, path: [names.operation], value };
      }),
    );

    it('differs in the edited field of an Schedule alone', async () => {
      const reference = await openReference({
        dialect,
        acceptsAnyPolicy: true,
        taskTimings: { delayMs: 0 },
      });
      let edited = 0;
      await fc.assert(
        fc.asyncProperty(anyPolicyOnWire(dialect), edits, fc.nat(), async (wire, edit, at) => {
          const stored = await store(reference, wire);
          const draft = await beginDraft(reference, stored);
          fc.pre(draft !== undefined && draft.after.slaSets.length > 0);
          const index = at % draft.after.slaSets.length;
          const page = setPageOf(
            draft,
            { ...ref, index, ...(edit.isTyped ? { isTyped: true } : {}) },
            knownPolicyValues(reference.client),
          );
          if (!page) throw new Error('no page');
          fc.pre(canEdit(page.base, edit));
          const { slaSet, errors } = readSetForm(fillModal(slaSetModal(page), edit.typed), page);
          // A number without a unit, or a retention that is too short, is refused: another test.
          fc.pre(!errors);
          const after = { ...draft.after, slaSets: draft.after.slaSets.with(index, slaSet) };
          await replace(reference, draft.policyId, after);
          const path = [names.slaSets, index, ...edit.path];
          expect(await readStored(reference, draft.policyId)).toEqual(
            withValue(stored, path, edit.value),
          );
          edited += 1;
        }),
        propertyRuns(1000, 60),
      );
      expect(edited).toBeGreaterThan(20);
    });

    it('differs in the name alone', async () => {
      const reference = await openReference({
        dialect,
        acceptsAnyPolicy: true,
        taskTimings: { delayMs: 0 },
      });
      await fc.assert(
        fc.asyncProperty(anyPolicyOnWire(dialect), fc.boolean(), async (wire, isNumber) => {
          const stored = await store(reference, isNumber ? { ...wire, name: 7 } : wire);
          const draft = await beginDraft(reference, stored);
          fc.pre(draft !== undefined);
          const view = editPolicyModal(draft);
          const values = fillModal(view, { [nameField(draft).id]: ' Gold,  weekly ' });
          const read = readName(typedName(draft, values), draft.before?.name);
          if ('problem' in read) throw new Error(read.problem);
          const after = withName(draft, read.name);
          await replace(reference, draft.policyId, after);
          expect(await readStored(reference, draft.policyId)).toEqual({
            ...stored,
            name: 'Gold, weekly',
          });
        }),
        propertyRuns(300, 30),
      );
    });

    it('is the same when nothing is edited, on any page', async () => {
      const reference = await openReference({ dialect, acceptsAnyPolicy: true });
      await fc.assert(
        fc.asyncProperty(anyPolicyOnWire(dialect), fc.boolean(), async (wire, isTyped) => {
          const draft = await beginDraft(reference, await store(reference, wire));
          fc.pre(draft !== undefined);
          const values = fillModal(editPolicyModal(draft));
          expect(typedName(draft, values)).toBe(draft.after.name);
          for (const [index, slaSet] of draft.after.slaSets.entries()) {
            const page = setPageOf(draft, { ...ref, index, isTyped }, known);
            if (!page) throw new Error('no page');
            const read = readSetForm(fillModal(slaSetModal(page)), page);
            expect(read).toEqual({ slaSet, errors: undefined });
          }
        }),
        propertyRuns(500, 40),
      );
    });

    /** A part of a duration that is alone is refused; so is what can't be parsed as SLAs. */
    function canEdit(
      { slas, otherFields }: Draft['after']['slaSets'][number],
      { path }: Edit,
    ): boolean {
      if (path[0] !== 'slas') return true;
      const [sla] = slas;
      if (!sla || otherFields?.slas !== undefined) return false;
      const duration = path[2] === 'rpo_frequency' ? sla.rpoFrequency : sla.retentionDuration;
      return duration !== undefined;
    }
  },
);

type Reference = Awaited<ReturnType<typeof openReference>>;

async function callPortal({ portal, client }: Reference, target: string, body?: JsonObject) {
  const response = await fetch(`${portal.baseUrl}/policies/definitions${target}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${portal.token}`,
      accept: dialectRules[client.dialect].accept('/policies/definitions'),
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
}

/**
 * Stores the policy among those that the service began with; resolves to what it returns for it. Belay
 * treats missing SLAs as none, which is what it sends.
 */
async function store(reference: Reference, wire: JsonObject): Promise<JsonObject> {
  reference.service.reset();
  const { slaSets } = dialectRules[reference.client.dialect].policy;
  const sets = z.array(z.custom<JsonObject>(isJsonObject)).parse(wire[slaSets]);
  const whole = { ...wire, [slaSets]: sets.map((one) => ({ slas: [], ...one })) };
  const created = await callPortal(reference, '', whole);
  return readStored(reference, z.looseObject({ id: z.string() }).parse(created).id);
}

const list = z.object({
  _embedded: z.object({ items: z.array(z.custom<JsonObject>(isJsonObject)) }),
});

/** Without what only the service writes. */
async function readStored(reference: Reference, id = ''): Promise<JsonObject> {
  const isLive = reference.client.dialect === 'live';
  const answer = await callPortal(reference, isLive ? `/${id}` : '');
  const found = isLive
    ? z.custom<JsonObject>(isJsonObject).parse(answer)
    : list.parse(answer)._embedded.items.find((item) => item.id === id);
  const { lock_status: _lock, updated_time: _time, ...policy } = found ?? {};
  return policy;
}

async function beginDraft({ client }: Reference, stored: JsonObject): Promise<Draft | undefined> {
  const policyId = z.string().parse(stored.id);
  const content = await newContent(client, policyId);
  if ('instead' in content) return undefined;
  return {
    id: draftId,
    teamId: 'T1',
    connectionId: 'c',
    slackUserId: 'U1',
    policyId,
    revision: 0,
    savedAt: new Date(0),
    ...draftContent.parse(JSON.parse(JSON.stringify(content))),
  };
}

function replace({ client }: Reference, id = '', after: PolicyDefinition) {
  return replacePolicy(client, id, policyText(client, after), { everyMs: 1 });
}

/** A copy with another value at the path, every object on the way being there. */
function withValue(whole: unknown, [key, ...rest]: (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(whole))
    return whole.with(Number(key), withValue(whole[Number(key)], rest, value));
  if (!isJsonObject(whole)) throw new Error(`nothing at ${key}`);
  return { ...whole, [key]: withValue(whole[key], rest, value) };
}
