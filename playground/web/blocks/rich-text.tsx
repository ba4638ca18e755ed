import type { RichTextBlock, RichTextBlockElement, RichTextElement } from '@slack/types';
import { RichTextInline } from './rich-text-inline.tsx';

export function RichText({ block }: { block: RichTextBlock }) {
  return (
    <div className="rich-text">
      {block.elements.map((element, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are known by their place only
        <Part key={index} part={element} />
      ))}
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
      const items = part.elements.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items are known by their place only
        <li key={index}>
          <Inlines elements={item.elements} />
        </li>
      ));
      return part.style === 'ordered' ? (
        <ol data-indent={part.indent}>{items}</ol>
      ) : (
        <ul data-indent={part.indent}>{items}</ul>
      );
    }
  }
}

function Inlines({ elements }: { elements: RichTextElement[] }) {
  return elements.map((element, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: elements are known by their place only
    <RichTextInline key={index} element={element} />
  ));
}
