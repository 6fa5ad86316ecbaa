import { Anchor, Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listInstalls } from '../../../api/app-installs.ts'
import { paths } from '../../../paths.ts'
import { usePageOfList, usePlace } from '../../../place.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'

/** Apps that may act in a place, whoever let them in. */
export function Installs() {
  const place = usePlace()
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['installs', place.kind, place.id, query],
    queryFn: () => listInstalls(place, query),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  const create = (
    <Button component={Link} to={paths.newInstall(place)}>
      Install an app
    </Button>
  )
  return (
    <Page
      title="Installs"
      lead={
        place.kind === 'orgs'
          ? 'Apps that may act in this organisation.'
          : 'Apps that may act in the whole group, with every organisation in it.'
      }
      actions={isEmpty ? undefined : create}
    >
      {page.isError && (
        <RefusalAlert title="The installs cannot be read" error={page.error} onRetry={() => void page.refetch()} />
      )}
      {isEmpty && (
        <Empty title="No app may act here">
          Apps that work unattended are installed; others are let in by people. <p>{create}</p>
        </Empty>
      )}
      {!page.isError && !isEmpty && (
        <DataTable
          label="Installs"
          rows={page.data?.data}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'App',
              cell: ({ id, relationships }) => (
                <Anchor component={Link} to={paths.install(place, id)} fw={600}>
                  {relationships.app.data.attributes.name}
                </Anchor>
              ),
            },
            { name: 'Got in', cell: ({ attributes }) => (attributes.client_id ? 'Installed' : 'Let in by a person') },
            { name: 'May ask for', cell: ({ relationships }) => relationships.app.data.attributes.scopes.join(', ') },
            { name: 'Since', cell: ({ attributes }) => <Moment time={attributes.installed_at} /> },
          ]}
        />
      )}
      <Pager label="Pages of installs" {...turns(page.data?.links)} />
    </Page>
  )
}
