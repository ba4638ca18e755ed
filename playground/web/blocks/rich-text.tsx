import type { RichTextBlock, RichTextBlockElement, RichTextElement } from '@slack/types';
import type { ReactNode } from 'react';
import { Each } from '../each.tsx';
import { EmojiMark } from '../mrkdwn/emoji-mark.tsx';
import { ChannelMention, UserMention } from '../mrkdwn/mention.tsx';
import { SafeLink } from '../mrkdwn/safe-link.tsx';
import { SlackDate } from '../mrkdwn/slack-date.tsx';
import { Unknown } from './unknown.tsx';

export function RichText({ block }: { block: RichTextBlock }) {
  return (
    <div className="rich-text">
      <Each of={block.elements}>{(part) => <Part part={part} />}</Each>
    </div>
  );
}

function Part({ part }: { part: RichTextBlockElement }) {
  switch (part.type) {
    case 'rich_text_section':
      return (
        <p>
          <Inlines elements={part.elements} />
        </p>
      );
    case 'rich_text_quote':
      return (
        <blockquote>
          <Inlines elements={part.elements} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre>
          <Inlines elements={part.elements} />
        </pre>
      );
    case 'rich_text_list': {
      const items = (
        <Each of={part.elements}>
          {(item) => (
            <li>
              <Inlines elements={item.elements} />
            </li>
          )}
        </Each>
      );
      return part.style === 'ordered' ? (
        <ol data-indent={part.indent}>{items}</ol>
      ) : (
        <ul data-indent={part.indent}>{items}</ul>
      );
    }
  }
}

function Inlines({ elements }: { elements: RichTextElement[] }) {
  return <Each of={elements}>{(element) => <RichTextInline element={element} />}</Each>;
}

function RichTextInline({ element }: { element: RichTextElement }): ReactNode {
  let node = body(element);
  const { style } = element;
  if (style?.code) node = <code>{node}</code>;
  if (style?.strike) node = <s>{node}</s>;
  if (style?.italic) node = <em>{node}</em>;
  if (style?.bold) node = <strong>{node}</strong>;
  return node;
}

function body(element: RichTextElement): ReactNode {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return <SafeLink url={element.url}>{element.text ?? element.url}</SafeLink>;
    case 'emoji':
      return <EmojiMark name={element.name} source={`:${element.name}:`} />;
    case 'user':
      return <UserMention slackUserId={element.user_id} />;
    case 'channel':
      return <ChannelMention channelId={element.channel_id} />;
    case 'broadcast':
      return <span className="mention">@{element.range}</span>;
    case 'usergroup':
      return <span className="mention">@{element.usergroup_id}</span>;
    case 'date':
      return (
        <SlackDate
          unixSeconds={element.timestamp}
          format={element.format}
          url={element.url}
          fallback={element.fallback ?? ''}
        />
      );
    default:
      return <Unknown type={element.type} />;
  }
}
