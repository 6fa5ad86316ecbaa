import { call } from '../../../api/client.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, NameLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { RoleName } from '../role-fields/role-name.tsx'
import { authTypes } from './auth-types.ts'

export function ServiceAccounts() {
  const place = usePlace()
  const list = useList(['service-accounts', place.kind, place.id], (query) =>
    call(idIn(place, 'listOrgServiceAccounts', 'listGroupServiceAccounts'), { params: paramsOf(place), query }),
  )
  const create = <ButtonLink to={paths.newServiceAccount(place)}>New service account</ButtonLink>
  return (
    <Page
      title="Service accounts"
      lead={`Programs that act for this ${place.kind === 'orgs' ? 'organization' : 'group'}, each with its own credential and role.`}
      actions={list.isEmpty ? undefined : create}
    >
      <Listing
        things="service accounts"
        list={list}
        columns={[
          {
            name: 'Name',
            cell: ({ id, attributes }) => <NameLink to={paths.serviceAccount(place, id)} name={attributes.name} />,
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
        empty={
          <Empty title="No service accounts yet">
            Create one for each program, so that you can revoke each separately. <p>{create}</p>
          </Empty>
        }
      />
    </Page>
  )
}
