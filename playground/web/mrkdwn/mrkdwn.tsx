import type { ReactNode } from 'react';
import { type Node, NodeType, parse } from 'slack-message-parser';
import { Each } from '../each.tsx';
import { useWorkspace } from '../workspace-context.ts';
import { autoParse } from './auto-parse.ts';
import { CommandNode } from './command-node.tsx';
import { DrawnText, EmojiMark } from './emoji-mark.tsx';
import { decodeEntities } from './entities.ts';
import { ChannelMention, UserMention } from './mention.tsx';
import { SafeLink } from './safe-link.tsx';

/** Renders mrkdwn as React nodes, so that nothing in the text can become HTML. */
export function Mrkdwn({ text, verbatim = false }: { text: string; verbatim?: boolean }) {
  const workspace = useWorkspace();
  const marked = verbatim ? text : autoParse(text, workspace);
  return (
    <div className="mrkdwn">{drawAll(parse(setCodeApart(escapeQuoteMarks(marked))).children)}</div>
  );
}

/** An invisible character that the parser takes for a space. */
const BOUNDARY = '\ufeff';
const codeSpan = /```[\s\S]*?```|<[^<>|\n]*[|>]|(?<![\p{L}\p{N}_`])`[^`\n]+`(?![\p{L}\p{N}_`])/gu;

/** The parser recognizes code only next to a space and some punctuation, Slack next to any. */
function setCodeApart(text: string): string {
  return text.replaceAll(codeSpan, (span, offset: number) => {
    if (!/^`[^`]/.test(span)) return span;
    const [before, after] = [text.charAt(offset - 1), text.charAt(offset + span.length)];
    // Marks of bold and strike must stay next to what they enclose.
    const boundaryAt = (neighbor: string) => (/[^\s*~]/.test(neighbor) ? BOUNDARY : '');
    return `${boundaryAt(before)}${span}${boundaryAt(after)}`;
  });
}

/** The parser recognizes quotes only by `&gt;`, as Slack escapes a `>` at the start of a line. */
function escapeQuoteMarks(text: string): string {
  return text.replace(/^>+/gm, (marks) => '&gt;'.repeat(marks.length));
}

function drawAll(nodes: Node[]): ReactNode {
  return <Each of={nodes}>{(node, index) => draw(node, nodes[index - 1])}</Each>;
}

function draw(node: Node, before: Node | undefined): ReactNode {
  switch (node.type) {
    case NodeType.Text:
      return <DrawnText text={decodeEntities(node.text.replaceAll(BOUNDARY, ''))} />;
    case NodeType.Bold:
      return <strong>{drawAll(node.children)}</strong>;
    case NodeType.Italic:
      return <em>{drawAll(node.children)}</em>;
    case NodeType.Strike:
      return <s>{drawAll(node.children)}</s>;
    case NodeType.Quote:
      return <blockquote>{drawAll(node.children)}</blockquote>;
    case NodeType.Code:
      return <code>{decodeEntities(node.text)}</code>;
    case NodeType.PreText:
      return <pre>{decodeEntities(node.text.replace(/^\n|\n$/g, ''))}</pre>;
    case NodeType.Emoji:
      if (followsWord(before)) return decodeEntities(node.source);
      return <EmojiMark name={node.name} source={decodeEntities(node.source)} />;
    case NodeType.UserLink:
      return <UserMention slackUserId={node.userID} label={node.label && drawAll(node.label)} />;
    case NodeType.ChannelLink:
      return (
        <ChannelMention channelId={node.channelID} label={node.label && drawAll(node.label)} />
      );
    case NodeType.Command:
      return <CommandNode command={node} />;
    case NodeType.URL: {
      const url = decodeEntities(node.url);
      const label = node.label ? drawAll(node.label) : url.replace(/^mailto:/, '');
      return <SafeLink url={url}>{label}</SafeLink>;
    }
    case NodeType.Root:
      return drawAll(node.children);
  }
}

/** The parser finds emoji in `10:30:45` and `x:y:z`, but Slack needs a boundary before the colon. */
function followsWord(before: Node | undefined): boolean {
  return before?.type === NodeType.Text && /[\p{L}\p{N}_]$/u.test(before.text);
}
