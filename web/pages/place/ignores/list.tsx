import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { IgnoreQuery } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { useFilters, usePageOfList, usePlace } from '../../../hooks/place.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Page } from '../../../ui/page.tsx'
import { useIgnoresTable } from './ignores-table.tsx'
import { PolicyFilesSetting } from './policy-files.tsx'

const states = [
  { value: '', label: 'All' },
  { value: 'active', label: 'In effect' },
  { value: 'stale', label: 'Without effect' },
  { value: 'expired', label: 'Ended' },
]

/** Lists the ignores of all projects with their effect. */
export function Ignores() {
  const { id: orgId } = usePlace()
  const { query, turns } = usePageOfList()
  const { filters, apply } = useFilters(['state'])
  const state = filters.state as IgnoreQuery['state']
  const reading = useQuery({
    queryKey: ['ignores', orgId, query, state],
    queryFn: () => call('listIgnores', { params: { org_id: orgId }, query: { ...query, state } }),
    placeholderData: keepPreviousData,
  })
  const { columns, dialogs } = useIgnoresTable(orgId, { withProject: true })
  return (
    <Page title="Ignores" lead="Ignored issues with reason and expiry. Ignores without effect can be deleted.">
      <NativeSelect
        label="Show"
        maw="14rem"
        value={filters.state ?? ''}
        onChange={(event) => apply({ state: event.currentTarget.value })}
        data={states}
      />
      <PolicyFilesSetting orgId={orgId} />
      {dialogs}
      <Listing
        things="ignores"
        label="Ignores"
        reading={reading}
        turns={turns}
        columns={columns}
        empty={
          state === undefined ? (
            <Empty title="No ignores">Ignore an issue from its project page.</Empty>
          ) : (
            <Empty title="No matching ignores">No ignore has this state.</Empty>
          )
        }
      />
    </Page>
  )
}
