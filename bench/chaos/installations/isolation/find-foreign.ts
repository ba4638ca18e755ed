/** The words and ids that only one workspace has. */
export type Marks = {
  /** One that several workspaces have belongs to none of them. */
  addId: (id: string, teamId: string) => void;
  /** The ids in a value that a workspace sent itself: Belay may answer with them. */
  addKnown: (value: string, teamId: string) => void;
  /** Everything in the content that belongs to another workspace. */
  findForeign: (content: unknown, teamId: string) => string[];
};

/** A UUID, or an id of Slack. */
const idFormat = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]0[A-Z0-9]{6,})\b/g;

/** @param words the word of each workspace, which is found in any case and also within other words */
export function createMarks(words: ReadonlyMap<string, string>): Marks {
  const anyWord = new RegExp([...words.keys()].join('|'), 'gi');
  const teamOfWord = new Map([...words].map(([word, teamId]) => [word.toLowerCase(), teamId]));
  const teamOfId = new Map<string, string | undefined>();
  const known = new Set<string>();
  return {
    addId(id, teamId) {
      const isShared = teamOfId.has(id) && teamOfId.get(id) !== teamId;
      teamOfId.set(id, isShared ? undefined : teamId);
    },
    addKnown(value, teamId) {
      for (const [id] of value.matchAll(idFormat)) known.add(`${teamId} ${id}`);
    },
    findForeign(content, teamId) {
      // A line end would otherwise be read as the letter n before an id.
      const text = (JSON.stringify(content) ?? '').replaceAll(/\\+n/g, ' ');
      const isForeign = (owner: string | undefined) => owner !== undefined && owner !== teamId;
      const found = [
        ...[...text.matchAll(anyWord)].filter(([word]) =>
          isForeign(teamOfWord.get(word.toLowerCase())),
        ),
        ...[...text.matchAll(idFormat)].filter(
          ([id]) => isForeign(teamOfId.get(id)) && !known.has(`${teamId} ${id}`),
        ),
      ];
      return [...new Set(found.map(([mark]) => mark))];
    },
  };
}
