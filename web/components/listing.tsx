import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { useList } from '../hooks/list.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Empty } from '../ui/empty.tsx'
import { Pager } from '../ui/pager.tsx'
import { upperFirst } from '../ui/words.ts'
import { ReadingAlert } from './refusal-alert.tsx'

interface Props<Row> {
  /** The plural noun, as in "Pages of …". */
  readonly things: string
  readonly list: ReturnType<typeof useList<Row>>
  readonly columns: readonly Column<Row>[]
  /** Shown instead of an empty table. */
  readonly empty: ReactNode
}

/** A page of a list: its rows, a note that there are none, or the reason why it cannot be read. */
export function Listing<Row extends { readonly id: string }>({ things, list, columns, empty }: Props<Row>) {
  const { reading, rows, isEmpty, isFirst, toFirst, turns } = list
  if (reading.isError) return <ReadingAlert title={`Could not load the ${things}`} reading={reading} />
  return (
    <>
      {!isEmpty && <DataTable label={upperFirst(things)} rows={rows} rowKey={({ id }) => id} columns={columns} />}
      {isEmpty && (isFirst ? empty : <EmptyPage onFirst={toFirst} />)}
      <Pager label={`Pages of ${things}`} {...turns(reading.data?.links)} />
    </>
  )
}

/** The state of a later page whose entries are gone. */
export function EmptyPage({ onFirst }: { onFirst: () => void }) {
  return (
    <Empty title="This page is empty">
      Its entries were deleted or moved to another page.
      <p>
        <Button variant="default" onClick={onFirst}>
          Go to first page
        </Button>
      </p>
    </Empty>
  )
}
