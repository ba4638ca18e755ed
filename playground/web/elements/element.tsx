import type { ActionsBlock, InputBlock, SectionBlock } from '@slack/types';
import { Unknown } from '../blocks/unknown.tsx';
import { useWorkspace } from '../workspace-context.ts';
import { ButtonElement } from './button-element.tsx';
import { CheckboxesElement } from './checkboxes-element.tsx';
import { channelChoices, conversationChoices, optionChoices, userChoices } from './choices.ts';
import { DateElement } from './date-element.tsx';
import { MultiSelect } from './multi-select.tsx';
import { OverflowElement } from './overflow-element.tsx';
import { RadioButtonsElement } from './radio-buttons-element.tsx';
import { SingleSelect } from './single-select.tsx';
import { TextElement } from './text-element.tsx';

type Props = {
  element:
    | ActionsBlock['elements'][number]
    | InputBlock['element']
    | NonNullable<SectionBlock['accessory']>;
  blockId: string;
  /** The accessible name of an element outside of an input block. */
  label: string | undefined;
};

export function Element({ element, blockId, label }: Props) {
  const { people, places } = useWorkspace();
  const common = { blockId, label };
  switch (element.type) {
    case 'button':
      return <ButtonElement element={element} blockId={blockId} />;
    case 'overflow':
      return <OverflowElement element={element} {...common} />;
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return <TextElement element={element} {...common} />;
    case 'datepicker':
    case 'timepicker':
      return <DateElement element={element} {...common} />;
    case 'radio_buttons':
      return <RadioButtonsElement element={element} {...common} />;
    case 'checkboxes':
      return <CheckboxesElement element={element} {...common} />;
    case 'static_select':
      return <SingleSelect element={element} choices={optionChoices(element)} {...common} />;
    case 'users_select':
      return <SingleSelect element={element} choices={userChoices(people)} {...common} />;
    case 'channels_select':
      return <SingleSelect element={element} choices={channelChoices(places)} {...common} />;
    case 'conversations_select':
      return (
        <SingleSelect
          element={element}
          choices={conversationChoices(places, element.filter)}
          {...common}
        />
      );
    case 'multi_static_select':
      return <MultiSelect element={element} choices={optionChoices(element)} {...common} />;
    case 'multi_users_select':
      return <MultiSelect element={element} choices={userChoices(people)} {...common} />;
    case 'multi_channels_select':
      return <MultiSelect element={element} choices={channelChoices(places)} {...common} />;
    case 'multi_conversations_select':
      return (
        <MultiSelect
          element={element}
          choices={conversationChoices(places, element.filter)}
          {...common}
        />
      );
    default:
      return <Unknown type={element.type} />;
  }
}
