import { call } from '../../../api/client.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, NameLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { actsAs } from './contexts.ts'

export function Apps() {
  const { id: orgId } = usePlace()
  const list = useList(['apps', orgId], (query) => call('listApps', { params: { org_id: orgId }, query }))
  const create = <ButtonLink to={paths.newApp(orgId)}>New app</ButtonLink>
  return (
    <Page
      title="Apps"
      lead="Apps of this organization, authorized by users or installed by administrators."
      actions={list.isEmpty ? undefined : create}
    >
      <Listing
        things="apps"
        list={list}
        columns={[
          {
            name: 'Name',
            cell: ({ id, attributes }) => <NameLink to={paths.app(orgId, id)} name={attributes.name} />,
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
        empty={
          <Empty title="No apps yet">
            Register an app to let users authorize it. <p>{create}</p>
          </Empty>
        }
      />
    </Page>
  )
}
