import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { nounOf, paramsOf } from '../../../api/place-params.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { usePageOfList, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

/** Lists apps with access to a place. */
export function Installs() {
  const place = usePlace()
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['installs', place.kind, place.id, query],
    queryFn: () => call(`list${nounOf(place)}AppInstalls`, { params: paramsOf(place), query }),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  const create = <ButtonLink to={paths.newInstall(place)}>Install app</ButtonLink>
  return (
    <Page
      title="Installs"
      lead={
        place.kind === 'orgs'
          ? 'Apps with access to this organization.'
          : 'Apps with access to the whole group and all its organizations.'
      }
      actions={isEmpty ? undefined : create}
    >
      <ReadingAlert title="Could not load the installs" reading={page} />
      {isEmpty && (
        <Empty title="No installs">
          Install an unattended app here. Other apps are authorized by users. <p>{create}</p>
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
                <PageLink to={paths.install(place, id)} fw={600}>
                  {relationships.app.data.attributes.name}
                </PageLink>
              ),
            },
            {
              name: 'Access',
              width: '12rem',
              cell: ({ attributes }) => (attributes.client_id ? 'Installed' : 'Authorized by a user'),
            },
            {
              name: 'Scopes',
              width: '14rem',
              cell: ({ relationships }) => relationships.app.data.attributes.scopes.join(', '),
            },
            {
              name: 'Since',
              width: '14rem',
              cell: ({ attributes }) => <RelativeTime time={attributes.installed_at} />,
            },
          ]}
        />
      )}
      <Pager label="Pages of installs" {...turns(page.data?.links)} />
    </Page>
  )
}
