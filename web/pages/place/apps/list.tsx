import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { usePageOfList, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { actsAs } from './contexts.ts'

/** Lists the apps of an organization. */
export function Apps() {
  const { id: orgId } = usePlace()
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['apps', orgId, query],
    queryFn: () => call('listApps', { params: { org_id: orgId }, query }),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  const create = <ButtonLink to={paths.newApp(orgId)}>New app</ButtonLink>
  return (
    <Page
      title="Apps"
      lead="Apps of this organization, authorized by users or installed by administrators."
      actions={isEmpty ? undefined : create}
    >
      <ReadingAlert title="Could not load the apps" reading={page} />
      {isEmpty && (
        <Empty title="No apps yet">
          Register an app to let users authorize it. <p>{create}</p>
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
                <PageLink to={paths.app(orgId, id)} fw={600}>
                  {attributes.name}
                </PageLink>
              ),
            },
            {
              name: 'Access',
              width: '10rem',
              cell: ({ attributes }) =>
                attributes.grant_type === 'client_credentials' ? 'Installed, unattended' : 'Authorized by users',
            },
            { name: 'Acts as', cell: ({ attributes }) => actsAs(attributes.context, 'User') },
            { name: 'Scopes', width: '14rem', cell: ({ attributes }) => attributes.scopes.join(', ') },
          ]}
        />
      )}
      <Pager label="Pages of apps" {...turns(page.data?.links)} />
    </Page>
  )
}
