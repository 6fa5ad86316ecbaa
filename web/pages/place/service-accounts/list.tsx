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
import { RoleName } from '../role-fields/role-name.tsx'
import { authTypes } from './auth-types.ts'

export function ServiceAccounts() {
  const place = usePlace()
  const { query, turns } = usePageOfList()
  const page = useQuery({
    queryKey: ['service-accounts', place.kind, place.id, query],
    queryFn: () => call(`list${nounOf(place)}ServiceAccounts`, { params: paramsOf(place), query }),
    placeholderData: keepPreviousData,
  })
  const isEmpty = page.data?.data.length === 0
  const create = <ButtonLink to={paths.newServiceAccount(place)}>New service account</ButtonLink>
  return (
    <Page
      title="Service accounts"
      lead={`Programs that act for this ${place.kind === 'orgs' ? 'organization' : 'group'}, each with its own credential and role.`}
      actions={isEmpty ? undefined : create}
    >
      <ReadingAlert title="Could not load the service accounts" reading={page} />
      {isEmpty && (
        <Empty title="No service accounts yet">
          Create one for each program, so that you can revoke each separately. <p>{create}</p>
        </Empty>
      )}
      {!page.isError && !isEmpty && (
        <DataTable
          label="Service accounts"
          rows={page.data?.data}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Name',
              cell: ({ id, attributes }) => (
                <PageLink to={paths.serviceAccount(place, id)} fw={600}>
                  {attributes.name}
                </PageLink>
              ),
            },
            { name: 'Credential', width: '9rem', cell: ({ attributes }) => authTypes[attributes.auth_type].name },
            {
              name: 'Role',
              width: '12rem',
              cell: ({ attributes }) => <RoleName place={place} id={attributes.role_id} />,
            },
            {
              name: 'Created',
              width: '14rem',
              cell: ({ attributes }) => <RelativeTime time={attributes.created_at} />,
            },
          ]}
        />
      )}
      <Pager label="Pages of service accounts" {...turns(page.data?.links)} />
    </Page>
  )
}
