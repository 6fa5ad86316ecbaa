import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Empty } from '../ui/empty.tsx'
import { Pager } from '../ui/pager.tsx'
import { ReadingAlert } from './refusal-alert.tsx'

interface Listed<Row> {
  readonly data: readonly Row[]
  readonly links: { readonly next?: string; readonly prev?: string }
}

interface Props<Row> {
  /** The plural noun, as in "Pages of …". */
  readonly things: string
  readonly label: string
  readonly reading: UseQueryResult<Listed<Row>>
  readonly columns: readonly Column<Row>[]
  readonly turns: (links: Listed<Row>['links'] | undefined) => {
    onPrevious: (() => void) | undefined
    onNext: (() => void) | undefined
    /** Undefined on the first page. */
    onFirst: (() => void) | undefined
  }
  /** Shown instead of an empty table. */
  readonly empty: ReactNode
}

/** A page of a list: its rows, a note that there are none, or the reason why it cannot be read. */
export function Listing<Row extends { readonly id: string }>(props: Props<Row>) {
  const { things, label, reading, columns, turns, empty } = props
  if (reading.isError) return <ReadingAlert title={`The ${things} cannot be read`} reading={reading} />
  const isEmpty = reading.data?.data.length === 0
  const { onFirst, ...neighbors } = turns(reading.data?.links)
  return (
    <>
      {isEmpty ? (
        onFirst ? (
          <Empty title="This page is empty">
            Its entries were deleted or moved to another page.
            <p>
              <Button variant="default" onClick={onFirst}>
                Go to first page
              </Button>
            </p>
          </Empty>
        ) : (
          empty
        )
      ) : (
        <DataTable label={label} rows={reading.data?.data} rowKey={({ id }) => id} columns={columns} />
      )}
      <Pager label={`Pages of ${things}`} {...neighbors} />
    </>
  )
}
