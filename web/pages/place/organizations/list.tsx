import { Code } from '@mantine/core'
import { call } from '../../../api/client.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { NameLink, PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { NewOrg } from './new.tsx'

export function Organizations() {
  const { id: groupId } = usePlace()
  const list = useList(['orgs-of-group', groupId], (query) =>
    call('listOrgsInGroup', { params: { group_id: groupId }, query }),
  )
  return (
    <Page
      title="Organizations"
      lead="Each has its own projects, apps, service accounts and members."
      actions={<NewOrg groupId={groupId} />}
    >
      <Listing
        things="organizations"
        list={list}
        columns={[
          {
            name: 'Name',
            cell: ({ id, attributes }) => <NameLink to={paths.projects(id)} name={attributes.name} />,
          },
          { name: 'Slug', cell: ({ attributes }) => <Code>{attributes.slug}</Code> },
          { name: 'Since', width: '9rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
          {
            name: 'Settings',
            width: '8rem',
            cell: ({ id, attributes }) => (
              <PageLink to={paths.orgSettings(id)} aria-label={`Settings of ${attributes.name}`}>
                Settings
              </PageLink>
            ),
          },
        ]}
        empty={<Empty title="No organizations yet">Create one to import repositories into it.</Empty>}
      />
    </Page>
  )
}
