import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ReadingAlert } from '../../components/refusal-alert.tsx'
import { usePageOfList } from '../../hooks/place.ts'
import { paths } from '../../navigation/paths.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { actsAs } from '../place/apps/contexts.ts'

/** Lists a user's authorized apps, for review and revocation. */
export function OwnApps() {
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['own-apps', query],
    queryFn: () => call('listSelfApps', { query }),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  return (
    <Page title="Authorized apps" lead="Apps that you authorized. Revoked access ends at once, everywhere.">
      <ReadingAlert title="Could not load your apps" reading={page} />
      {isEmpty && (
        <Empty title="No authorized apps">
          An app asks for access on a page of this server that lists the requested scopes.
        </Empty>
      )}
      {!page.isError && !isEmpty && (
        <DataTable
          label="Authorized apps"
          rows={page.data?.data}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Name',
              cell: ({ id, attributes }) => (
                <PageLink to={paths.ownApp(id)} fw={600}>
                  {attributes.name}
                </PageLink>
              ),
            },
            { name: 'Acts as', cell: ({ attributes }) => actsAs(attributes.context, 'You') },
            { name: 'Scopes', cell: ({ attributes }) => attributes.scopes.join(', ') },
          ]}
        />
      )}
      <Pager label="Pages of apps" {...turns(page.data?.links)} />
    </Page>
  )
}
