import { Code, Group } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { Integration } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, NameLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { kindName, kinds } from './kinds.ts'

export function Integrations() {
  const { id: orgId } = usePlace()
  const list = useList(['integrations', orgId], (query) =>
    call('listIntegrations', { params: { org_id: orgId }, query }),
  )
  const create = <ButtonLink to={paths.newIntegration(orgId)}>Connect source</ButtonLink>
  return (
    <Page
      title="Integrations"
      lead="Repository sources. Their credentials are stored encrypted and never shown."
      actions={list.isEmpty ? undefined : create}
    >
      <Listing
        things="integrations"
        list={list}
        columns={[
          {
            name: 'Name',
            cell: ({ id, attributes }) => <NameLink to={paths.integration(orgId, id)} name={attributes.name} />,
          },
          { name: 'Kind', width: '11rem', cell: ({ attributes }) => kindName(attributes.kind) },
          { name: 'Address', cell: ({ attributes }) => <Code>{attributes.base_url ?? '–'}</Code> },
          {
            name: 'Credentials',
            width: '9rem',
            cell: ({ attributes }) => credentialsWords(attributes),
          },
          { name: 'Since', width: '9rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
        ]}
        empty={
          <Empty title="No source connected">
            Connect GitHub, GitLab or another git server, a local folder, or upload an archive.
            <Group justify="center" mt="md">
              {create}
            </Group>
          </Empty>
        }
      />
    </Page>
  )
}

export function credentialsWords({ kind, has_credentials }: Integration['attributes']): string {
  if (has_credentials) return 'set'
  return kinds[kind].credentials.length === 0 ? 'none needed' : 'not set'
}
