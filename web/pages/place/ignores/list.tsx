import { NativeSelect } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { IgnoreQuery } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { useFilters, usePlace } from '../../../hooks/place.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Page } from '../../../ui/page.tsx'
import { optionsOf } from '../../../ui/words.ts'
import { useIgnoresTable } from './ignores-table.tsx'
import { PolicyFilesSetting } from './policy-files.tsx'

const states = optionsOf({ '': 'All', active: 'In effect', stale: 'Without effect', expired: 'Ended' })

export function Ignores() {
  const { id: orgId } = usePlace()
  const { filters, apply } = useFilters(['state'])
  const state = filters.state as IgnoreQuery['state']
  const list = useList(['ignores', orgId, state], (query) =>
    call('listIgnores', { params: { org_id: orgId }, query: { ...query, state } }),
  )
  const { columns, dialog } = useIgnoresTable(orgId, { withProject: true })
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
      {dialog}
      <Listing
        things="ignores"
        list={list}
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
