import { z } from 'zod';
import { readDeployed } from './needs.ts';

type Instruction = { name: string; text: string };

const jsonArguments = z.array(z.string());

/** The instructions of deploy/Dockerfile, those of its last stage apart. */
export function readDockerfile() {
  const text = readDeployed('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '');
  const all: Instruction[] = [...text.matchAll(/^([A-Z]+) +(.+)$/gm)].map(
    ([, name = '', rest = '']) => ({ name, text: rest }),
  );
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const textsOf = (name: string, among = all) =>
    among.filter((one) => one.name === name).map((one) => one.text);
  const pairs = textsOf('ENV', last).flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/g)]);
  const env: Record<string, string> = Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, value]),
  );
  return {
    textsOf,
    last: (name: string) => textsOf(name, last),
    env,
    command: jsonArguments.parse(JSON.parse(textsOf('CMD', last).at(-1) ?? '')),
  };
}
