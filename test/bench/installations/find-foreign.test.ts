import { expect, it } from 'vitest';
import { createMarks } from '../../../bench/chaos/installations/isolation/find-foreign.ts';

const approvalId = '0b7c1a52-3f4e-4d19-9a51-0c8f1d2e3b4a';

function marksOfTwo() {
  const marks = createMarks(
    new Map([
      ['Axolotl7', 'T0FIRST001'],
      ['Bonobo7', 'T0SECOND01'],
    ]),
  );
  marks.addId(approvalId, 'T0FIRST001');
  marks.addId('C0FIRST001', 'T0FIRST001');
  for (const teamId of ['T0FIRST001', 'T0SECOND01']) marks.addId('U0SHARED01', teamId);
  return marks;
}

it.each([
  ['a word in any case', { text: 'see user-1@AXOLOTL7.example' }, ['AXOLOTL7']],
  ['a word after a line end', { text: 'Alerts\nvm-1 Axolotl7' }, ['Axolotl7']],
  ['an id in a value', { value: JSON.stringify({ id: approvalId }) }, [approvalId]],
  ['an id in a mention', { text: '\n<#C0FIRST001>' }, ['C0FIRST001']],
  ['nothing of its own, or of both', { text: 'Bonobo7 <@U0SHARED01>' }, []],
])('finds %s', (_what, content, found) => {
  const marks = marksOfTwo();
  expect(marks.findForeign(content, 'T0SECOND01')).toEqual(found);
});

it('leaves out the ids that the workspace sent itself', () => {
  const marks = marksOfTwo();
  marks.addKnown(JSON.stringify({ approvalId }), 'T0SECOND01');
  expect(marks.findForeign({ text: approvalId }, 'T0SECOND01')).toEqual([]);
  expect(marks.findForeign({ text: approvalId }, 'T0THIRD001')).toEqual([approvalId]);
});
