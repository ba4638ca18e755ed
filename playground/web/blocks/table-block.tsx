import type { TableBlock } from '@slack/types';
import { Each } from '../each.tsx';
import { RichText } from './rich-text.tsx';

type Cell = TableBlock['rows'][number][number];

export function TableBlockBody({ block }: { block: TableBlock }) {
  const [head = [], ...rows] = block.rows;
  const align = (column: number) => block.column_settings?.[column]?.align ?? 'left';
  return (
    <table>
      <thead>
        <tr>
          <Each of={head}>
            {(cell, column) => (
              <th scope="col" data-align={align(column)}>
                <CellBody cell={cell} />
              </th>
            )}
          </Each>
        </tr>
      </thead>
      <tbody>
        <Each of={rows}>
          {(row) => (
            <tr>
              <Each of={row}>
                {(cell, column) => (
                  <td data-align={align(column)}>
                    <CellBody cell={cell} />
                  </td>
                )}
              </Each>
            </tr>
          )}
        </Each>
      </tbody>
    </table>
  );
}

function CellBody({ cell }: { cell: Cell }) {
  return cell.type === 'rich_text' ? <RichText block={cell} /> : cell.text;
}
