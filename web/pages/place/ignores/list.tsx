import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type IgnoreQuery, listIgnores } from '../../../api/ignores.ts'
import { Listing } from '../../../listing.tsx'
import { useFilters, usePageOfList, usePlace } from '../../../place.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Page } from '../../../ui/page.tsx'
import { useIgnoresTable } from './ignores-table.tsx'

const states = [
  { value: '', label: 'All' },
  { value: 'active', label: 'In effect' },
  { value: 'stale', label: 'Without effect' },
  { value: 'expired', label: 'Ended' },
]

/** What people decided to accept, in all projects, and what of it means nothing any more. */
export function Ignores() {
  const { id: orgId } = usePlace()
  const { query, turns } = usePageOfList()
  const { filters, apply } = useFilters(['state'])
  const state = filters.state as IgnoreQuery['state']
  const reading = useQuery({
    queryKey: ['ignores', orgId, query, state],
    queryFn: () => listIgnores(orgId, { ...query, state }),
    placeholderData: keepPreviousData,
  })
  const { columns, dialogs } = useIgnoresTable(orgId, { withProject: true })
  return (
    <Page
      title="Ignores"
      lead="Issues that somebody decided to leave for now, with why and until when. Those without effect can be ended."
    >
      <NativeSelect
        label="Show"
        maw="14rem"
        value={filters.state ?? ''}
        onChange={(event) => apply({ state: event.currentTarget.value })}
        data={states}
      />
      {dialogs}
      <Listing
        things="ignores"
        label="Ignores"
        reading={reading}
        turns={turns}
        columns={columns}
        empty={
          state === undefined ? (
            <Empty title="Nothing is ignored">An issue is ignored from the page of its project.</Empty>
          ) : (
            <Empty title="No such ignore">None is in this state.</Empty>
          )
        }
      />
    </Page>
  )
}
