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

export function Installs() {
  const place = usePlace()
  const list = useList(['installs', place.kind, place.id], (query) =>
    call(idIn(place, 'listOrgAppInstalls', 'listGroupAppInstalls'), { params: paramsOf(place), query }),
  )
  const create = <ButtonLink to={paths.newInstall(place)}>Install app</ButtonLink>
  return (
    <Page
      title="Installs"
      lead={
        place.kind === 'orgs'
          ? 'Apps with access to this organization.'
          : 'Apps with access to the whole group and all its organizations.'
      }
      actions={list.isEmpty ? undefined : create}
    >
      <Listing
        things="installs"
        list={list}
        columns={[
          {
            name: 'App',
            cell: ({ id, relationships }) => (
              <NameLink to={paths.install(place, id)} name={relationships.app.data.attributes.name} />
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
        empty={
          <Empty title="No installs">
            Install an unattended app here. Other apps are authorized by users. <p>{create}</p>
          </Empty>
        }
      />
    </Page>
  )
}
