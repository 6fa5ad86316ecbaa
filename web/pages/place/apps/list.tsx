import { Anchor, Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listApps } from '../../../api/apps.ts'
import { paths } from '../../../paths.ts'
import { usePageOfList, usePlace } from '../../../place.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { actsAs } from './contexts.ts'

/** What an organisation has registered. */
export function Apps() {
  const { id: orgId } = usePlace()
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['apps', orgId, query],
    queryFn: () => listApps(orgId, query),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  const create = (
    <Button component={Link} to={paths.newApp(orgId)}>
      New app
    </Button>
  )
  return (
    <Page
      title="Apps"
      lead="Programs that this organisation makes, and that people let in or administrators install."
      actions={isEmpty ? undefined : create}
    >
      {page.isError && (
        <RefusalAlert title="The apps cannot be read" error={page.error} onRetry={() => void page.refetch()} />
      )}
      {isEmpty && (
        <Empty title="No app yet">
          Register one to send people to a page on which they let it in. <p>{create}</p>
        </Empty>
      )}
      {!page.isError && !isEmpty && (
        <DataTable
          label="Apps"
          rows={page.data?.data}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Name',
              cell: ({ id, attributes }) => (
                <Anchor component={Link} to={paths.app(orgId, id)} fw={600}>
                  {attributes.name}
                </Anchor>
              ),
            },
            {
              name: 'Gets in',
              cell: ({ attributes }) =>
                attributes.grant_type === 'client_credentials' ? 'Installed, unattended' : 'Let in by people',
            },
            { name: 'Acts as', cell: ({ attributes }) => actsAs(attributes.context, 'Who let it in') },
            { name: 'May ask for', cell: ({ attributes }) => attributes.scopes.join(', ') },
          ]}
        />
      )}
      <Pager label="Pages of apps" {...turns(page.data?.links)} />
    </Page>
  )
}
