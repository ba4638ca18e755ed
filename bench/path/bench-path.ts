import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { startPlayground } from '../../playground/start-playground.ts';
import { createLogger } from '../../src/logger.ts';
import { messagesOf, newMessages } from '../../test/support/ask.ts';
import { amount, count, readOptions } from '../read-options.ts';

const src = new URL('../../src/', import.meta.url).href;

/** The functions of `src/` that ran, as `file:offset`. */
type Functions = Set<string>;

/**
 * How many files and functions of Belay one interaction runs through, by V8's precise coverage. What also
 * runs while nobody does anything is left out, and so is what a first run alone does, such as filling
 * caches. `--list` prints the files of each interaction.
 */
export async function benchPath() {
  const { idleSeconds, list } = readOptions({
    idleSeconds: count(1).default(amount(60, 2)),
    list: count(0).default(0),
  });
  const playground = await startPlayground({ log: createLogger('silent') });
  const session = new Session();
  session.connect();
  try {
    const { slack } = playground;
    const [ana, ben] = [actAs(slack, people.ana), actAs(slack, people.ben)];
    await showAlerts(ana);
    await (await prepareApproval(ana, ben, 'joana.prado@example.com'))();

    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await takeCalled(session);
    await sleep(idleSeconds * 1000);
    const idle = await takeCalled(session);
    const measure = async (run: () => Promise<unknown>) => {
      await takeCalled(session);
      await run();
      return leaveOut(await takeCalled(session), idle);
    };
    const alerts = await measure(() => showAlerts(ana));
    const approve = await measure(await prepareApproval(ana, ben, 'kim.lee@example.com'));
    return {
      bench: 'path',
      idleSeconds,
      idle: counts(idle),
      alerts: counts(alerts),
      approve: counts(approve),
      ...(list > 0 && { files: { alerts: filesOf(alerts), approve: filesOf(approve) } }),
    };
  } finally {
    session.disconnect();
    await playground.stop();
  }
}

async function showAlerts(person: Actor): Promise<void> {
  const seeNew = newMessages(person);
  await person.send('ops', '/belay alerts');
  await seeNew('Active alerts');
}

/** Requests the disabling of a user. What is returned approves it, and waits for all of its news. */
async function prepareApproval(ana: Actor, ben: Actor, email: string) {
  const find = (person: Actor, text: string, messageTs?: string) =>
    person.see(
      () =>
        messagesOf(person).findLast(
          (one) => one.text.includes(text) && (messageTs ?? one.messageTs) === one.messageTs,
        ),
      text,
    );
  const newsCount = () => messagesOf(ana).filter(isNews).length;
  await ana.send('ops', `/belay disable ${email}`);
  await ana.submit(await ana.seeDialog('Reason'), { reason: { input: 'Left the company' } });
  const request = await find(ben, 'Waiting for approval.');
  const known = newsCount();
  return async () => {
    await ben.press(request, 'Approve');
    await find(ben, 'is disabled.', request.messageTs);
    await ana.see(() => (newsCount() > known ? true : undefined), 'what became of the request');
  };
}

const isNews = ({ text }: Message) => text.includes('Your request to ');

/** What has run since the last time. */
async function takeCalled(session: Session): Promise<Functions> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = result
    .filter(({ url }) => url.startsWith(src))
    .flatMap(({ url, functions }) =>
      // A function without a name is a part of the one that it is in, or the module itself.
      functions.flatMap(({ functionName, ranges: [range] }) =>
        range && range.count > 0 && functionName !== '' ? `${url}:${range.startOffset}` : [],
      ),
    );
  return new Set(called);
}

function leaveOut(functions: Functions, idle: Functions): Functions {
  return new Set([...functions].filter((one) => !idle.has(one)));
}

function filesOf(functions: Functions): string[] {
  return [...new Set([...functions].map(fileOf))].sort();
}

/** Its path below `src/`. */
function fileOf(called: string): string {
  return called.slice(src.length, called.lastIndexOf(':'));
}

function counts(functions: Functions) {
  return { files: filesOf(functions).length, functions: functions.size };
}
