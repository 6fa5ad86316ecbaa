import { Box, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'
import { Table } from './table.tsx'

export interface Column<Row> {
  readonly name: string
  readonly width?: string
  cell(row: Row): ReactNode
}

interface Props<Row> {
  /** Accessible name of the table. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined
  rowKey(row: Row): string
}

const waiting = ['first', 'second', 'third', 'fourth']

/** A table. Its roles are explicit, because browsers drop them from a table with the layout of cards. */
export function DataTable<Row>({ label, columns, rows, rowKey }: Props<Row>) {
  return (
    <Box className={styles['frame']} aria-busy={rows === undefined}>
      <Table
        className={styles['table'] ?? ''}
        role="table"
        aria-label={label}
        verticalSpacing={12}
        horizontalSpacing={16}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ name, width }) => (
              <Table.Th key={name} role="columnheader" scope="col" w={width}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows === undefined
            ? waiting.map((key) => (
                // Hidden from screen readers while loading.
                <Table.Tr key={key} role="row" aria-hidden>
                  {columns.map(({ name }) => (
                    <Table.Td key={name} role="cell" data-label={name}>
                      <Skeleton height={16} width="70%" />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : rows.map((row) => (
                <Table.Tr key={rowKey(row)} role="row">
                  {columns.map(({ name, cell }) => (
                    <Table.Td key={name} role="cell" data-label={name}>
                      <div>{cell(row)}</div>
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
