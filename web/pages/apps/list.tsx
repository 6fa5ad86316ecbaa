import { call } from '../../api/client.ts'
import { Listing } from '../../components/listing.tsx'
import { useList } from '../../hooks/list.ts'
import { paths } from '../../navigation/paths.ts'
import { Empty } from '../../ui/empty.tsx'
import { NameLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { actsAs } from '../place/apps/contexts.ts'

export function OwnApps() {
  const list = useList(['own-apps'], (query) => call('listSelfApps', { query }))
  return (
    <Page title="Authorized apps" lead="Apps that you authorized. Revoked access ends at once, everywhere.">
      <Listing
        things="authorized apps"
        list={list}
        columns={[
          {
            name: 'Name',
            cell: ({ id, attributes }) => <NameLink to={paths.ownApp(id)} name={attributes.name} />,
          },
          { name: 'Acts as', cell: ({ attributes }) => actsAs(attributes.context, 'You') },
          { name: 'Scopes', cell: ({ attributes }) => attributes.scopes.join(', ') },
        ]}
        empty={
          <Empty title="No authorized apps">
            An app asks for access on a page of this server that lists the requested scopes.
          </Empty>
        }
      />
    </Page>
  )
}
