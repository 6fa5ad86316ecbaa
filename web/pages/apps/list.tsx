import { Anchor } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listOwnApps } from '../../api/own-apps.ts'
import { paths } from '../../paths.ts'
import { usePageOfList } from '../../place.ts'
import { RefusalAlert } from '../../refusal-alert.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { actsAs } from '../place/apps/contexts.ts'

/** What a person let in, to look at and to end. */
export function OwnApps() {
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['own-apps', query],
    queryFn: () => listOwnApps(query),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  return (
    <Page
      title="Apps acting for you"
      lead="What you let in, and where. What you end here is refused at once, everywhere."
    >
      {page.isError && (
        <RefusalAlert title="Your apps cannot be read" error={page.error} onRetry={() => void page.refetch()} />
      )}
      {isEmpty && (
        <Empty title="No app acts for you">
          An app that wants to sends you to a page of this server, which says what it asks for.
        </Empty>
      )}
      {!page.isError && !isEmpty && (
        <DataTable
          label="Apps acting for you"
          rows={page.data?.data}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Name',
              cell: ({ id, attributes }) => (
                <Anchor component={Link} to={paths.ownApp(id)} fw={600}>
                  {attributes.name}
                </Anchor>
              ),
            },
            { name: 'Acts as', cell: ({ attributes }) => actsAs(attributes.context, 'You') },
            { name: 'May ask for', cell: ({ attributes }) => attributes.scopes.join(', ') },
          ]}
        />
      )}
      <Pager label="Pages of apps" {...turns(page.data?.links)} />
    </Page>
  )
}
